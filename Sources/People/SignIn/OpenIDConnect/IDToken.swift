internal import Media

/// What an ID token must contain to be valid for one sign-in (OpenID Connect Core 1.0, 3.1.3.7).
struct IDTokenRule: Sendable {
    let issuer: String
    let clientID: String
    /// `nil` for a provider that does not return it.
    let nonce: String?
    /// When the sign-in began.
    let begun: Instant

    /// The most that the provider's clock may differ from this machine's, in seconds.
    private static let skew = 60.0

    /// Whom the token is about, if every claim is valid. The caller checks its signature.
    func subject(in claims: JSON, at now: Instant) throws(ProviderFault) -> String {
        let second = Double(now.microseconds) / 1_000_000
        guard Self.isSame(claims["iss"], issuer) else { throw .wrong("iss is another issuer's") }
        let audience = claims["aud"]?.array ?? claims["aud"].map { [$0] } ?? []
        guard audience.contains(where: { Self.isSame($0, clientID) }) else { throw .wrong("aud is another client's") }
        let party = claims["azp"]
        guard party == nil && audience.count == 1 || Self.isSame(party, clientID) else {
            throw .wrong("azp is another client's")
        }
        guard let end = claims["exp"]?.number, second < end + Self.skew else { throw .wrong("exp has passed") }
        let start = Double(begun.microseconds) / 1_000_000
        guard let made = claims["iat"]?.number, made <= second + Self.skew, made >= start - Self.skew else {
            throw .wrong("iat is not of this sign-in")
        }
        if let early = claims["nbf"], early.number.map({ $0 > second + Self.skew }) ?? true {
            throw .wrong("nbf is still to come")
        }
        if let nonce { guard Self.isSame(claims["nonce"], nonce) else { throw .wrong("nonce is another's") } }
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
            throw .wrong("sub is missing")
        }
        return subject
    }

    /// Byte by byte: Swift compares texts by Unicode's canonical equivalence.
    private static func isSame(_ value: JSON?, _ text: String) -> Bool {
        value?.string.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }
}
