internal import Hashing
package import Media

/// What a token must say, besides being signed.
public struct TokenRule: Sendable {
    /// The service that tokens are for, as in `aud`.
    public let audience: String
    /// Who makes tokens, as in `iss`; `nil` if a shared secret proves it.
    public let issuer: String?

    /// The most that the issuer's clock may differ from this machine's, in seconds.
    static let skew = 60.0
    static let longestSubject = 255
    /// The roles of Supabase's keys, which are not persons.
    private static let roles: Set = ["anon", "service_role", "supabase_admin"]

    /// A rule for this audience and issuer.
    public init(audience: String, issuer: String?) {
        self.audience = audience
        self.issuer = issuer
    }

    /// Whom a token's claims are about, and the second since 1970 from which they are no longer valid.
    package func person(in claims: JSON, at now: Instant) throws(TokenFault) -> (person: ID<Person>, end: Int64) {
        let second = Double(now.microseconds) / 1_000_000
        guard let end = claims["exp"]?.number else { throw .noEnd }
        guard second < end + Self.skew else { throw .expired }
        if let start = claims["nbf"] {
            guard let start = start.number, start <= second + Self.skew else { throw .early }
        }
        let maker = claims["iss"]?.string ?? ""
        if let issuer, !Self.areSame(maker, issuer) { throw .issuer }
        guard names(claims["aud"]) else { throw .audience }
        if let role = claims["role"]?.string, Self.roles.contains(role) { throw .role }
        guard let subject = claims["sub"]?.string, (1...Self.longestSubject).contains(subject.utf8.count) else {
            throw .subject
        }
        return (Self.person(subject, of: maker), Int64(min(end + Self.skew, 1e15)))
    }

    /// Whether `aud`, a text or a list of texts, contains the service.
    private func names(_ value: JSON?) -> Bool {
        let names = value?.array ?? value.map { [$0] } ?? []
        return names.contains { name in name.string.map { Self.areSame($0, audience) } ?? false }
    }

    /// Byte by byte: Swift compares texts by Unicode's canonical equivalence.
    private static func areSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

    /// The person of a subject: a UUID unchanged, or a UUID made of issuer and subject.
    ///
    /// A UUID stays unchanged only in lower case, so that two subjects are never one person, and only in versions 1 to
    /// 7. UUIDs that are made here have version 8 (RFC 9562, 5.8), so no subject can be chosen to equal one.
    package static func person(_ subject: String, of issuer: String) -> ID<Person> {
        if let id = ID<Person>(subject), areSame(id.text, subject), (1...7).contains(id.bytes[6] >> 4),
            !id.bytes.starts(with: [0, 0, 0, 0, 0, 0])
        {
            return id
        }
        let text = [Array("compass person".utf8), Array(issuer.utf8), Array(subject.utf8)].joined(separator: [0])
        var bytes = Array(SHA256.digest(of: Array(text)).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID(bytes: bytes)!
    }
}
