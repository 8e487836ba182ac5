public import Documents
internal import JWTKit
internal import Linux
public import Media
internal import Synchronization
internal import ThumbnailCache

/// Signs and checks access tokens: JWTs (RFC 7519) by ES256, with the claims that clients of Supabase read.
///
/// Of several keys the newest one signs. Each older one counts until the tokens that it has signed have ended.
public final class AccessTokens: Sendable {
    /// A private key of the curve P-256.
    public struct SigningKey: Hashable, Sendable {
        /// Text between lines of `-----BEGIN` and `-----END` (RFC 7468).
        public let pem: String
        /// When it was made; `nil` where nobody knows.
        public let made: Instant?

        /// A key of these parts.
        public init(pem: String, made: Instant?) {
            self.pem = pem
            self.made = made
        }
    }

    /// Keys as they were read, and as they are used.
    private struct Ring: Sendable {
        let source: [SigningKey]
        let keys: JWTKeyCollection
        /// The newest key last.
        let publicKeys: [PublicKey]
    }

    private struct PublicKey: Sendable {
        let name: String
        let source: SigningKey
        let json: JSON
    }

    private let reading: @Sendable (_ isFresh: Bool) -> [SigningKey]
    private let now: @Sendable () -> Instant
    private let ring: Mutex<Ring>

    /// How long a token is valid.
    public static let lifetime = Duration.seconds(900)
    private static let audience = "authenticated"
    private static let issuer = "compass"
    private static let mostByteCount = 4096
    /// How long a key counts after its successor was made: as long as a token, and a minute for processes that notice it late.
    private static let succession = lifetime + .seconds(60)

    /// What a token says.
    public struct Content: Hashable, Sendable {
        /// Who has signed in.
        public let person: ID<Person>
        /// The session that must not have ended.
        public let session: ID<AccountSession>
        /// The second since 1970 from which the token is invalid.
        public let expiry: Int64
    }

    /// Why a token is refused.
    public enum Fault: Error, Hashable, Sendable {
        /// It was valid once.
        case expired
        /// It is not signed by this service, or not for it.
        case invalid
    }

    /// - Parameters:
    ///   - reading: gives at least one key, the newest one last. It may remember them for a second, unless it is asked for fresh ones.
    ///   - now: the clock; the machine's where it is `nil`.
    public init(
        now: (@Sendable () -> Instant)? = nil, _ reading: @escaping @Sendable (_ isFresh: Bool) -> [SigningKey]
    ) async throws {
        self.reading = reading
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        ring = Mutex(try await Self.ring(of: reading(true)))
    }

    /// One key that stays.
    public convenience init(key: String) async throws {
        try await self.init { _ in [SigningKey(pem: key, made: nil)] }
    }

    private static func ring(of source: [SigningKey]) async throws -> Ring {
        let keys = JWTKeyCollection()
        var publicKeys: [PublicKey] = []
        for member in source {
            let key = try ES256PrivateKey(pem: member.pem)
            guard let parameters = key.publicKey.parameters else { throw Fault.invalid }
            let (x, y) = (forURL(parameters.x), forURL(parameters.y))
            let name = String("\(SHA256.digest(of: Array((x + "." + y).utf8)))".prefix(16))
            let json = JSON.object([
                "kty": .string("EC"), "crv": .string("P-256"), "alg": .string("ES256"), "use": .string("sig"),
                "kid": .string(name), "x": .string(x), "y": .string(y),
            ])
            await keys.add(ecdsa: key, kid: JWKIdentifier(string: name))
            publicKeys.append(PublicKey(name: name, source: member, json: json))
        }
        return Ring(source: source, keys: keys, publicKeys: publicKeys)
    }

    /// The keys as they are now. Those that cannot be used leave those before them.
    private func current(isFresh: Bool = false) async -> Ring {
        let source = reading(isFresh)
        let known = ring.withLock { $0 }
        guard source != known.source, let changed = try? await Self.ring(of: source) else { return known }
        ring.withLock { $0 = changed }
        return changed
    }

    /// Those of the keys that count: the newest one, and each whose successor is young.
    public static func accepted(of keys: [SigningKey], at now: Instant) -> [SigningKey] {
        zip(keys, keys.dropFirst().map(\.made) + [nil]).compactMap { key, successor in
            successor.map { now < $0 + succession } ?? true ? key : nil
        }
    }

    /// The public keys that count as a JWK set (RFC 7517), the newest one first.
    public var keySet: JSON {
        get async {
            let ring = await current()
            let accepted = Set(Self.accepted(of: ring.source, at: now()))
            let keys = ring.publicKeys.filter { accepted.contains($0.source) }.map(\.json)
            return .object(["keys": .array(keys.reversed())])
        }
    }

    /// A new private key as PEM.
    public static func makeKey() -> String { ES256PrivateKey().pemRepresentation }

    /// A token for a session, and the second at which it expires.
    public func sign(_ grant: AccountDesk.Grant, at now: Instant) async throws -> (text: String, expiry: Int64) {
        let second = now.microseconds / 1_000_000
        let expiry = second + Self.lifetime.components.seconds
        let claims = Claims(
            iss: Self.issuer, sub: grant.account.id.text, aud: Self.audience, role: Self.audience,
            email: grant.account.address.text, sessionID: grant.session.id.text, iat: second, exp: expiry,
            amr: [.init(grant.session)], appMetadata: .init(grant.account))
        let ring = await current()
        return (try await ring.keys.sign(claims, kid: JWKIdentifier(string: ring.publicKeys.last!.name)), expiry)
    }

    /// What a token says, if this service signed it and it is valid now.
    public func content(of token: String, at now: Instant) async throws(Fault) -> Content {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= Self.mostByteCount, parts.count == 3,
            let header = try? JSON(parsing: Base64.decode(Self.fromURL(String(parts[0])!))),
            header["alg"]?.string == "ES256", let name = header["kid"]?.string,
            let keys = await keys(with: name, at: now)
        else { throw .invalid }
        let claims: Claims
        do {
            claims = try await keys.verify(token, as: Claims.self)
        } catch {
            throw .invalid
        }
        guard claims.iss == Self.issuer, claims.aud == Self.audience, let person = ID<Person>(claims.sub),
            let session = ID<AccountSession>(claims.sessionID)
        else { throw .invalid }
        guard now.microseconds / 1_000_000 < claims.exp else { throw .expired }
        return Content(person: person, session: session, expiry: claims.exp)
    }

    /// The keys among which one has a name and counts. Another process may have added it just now.
    private func keys(with name: String, at now: Instant) async -> JWTKeyCollection? {
        for isFresh in [false, true] {
            let ring = await current(isFresh: isFresh)
            guard let key = ring.publicKeys.first(where: { $0.name == name }) else { continue }
            return Self.accepted(of: ring.source, at: now).contains(key.source) ? ring.keys : nil
        }
        return nil
    }

    /// Base64 with `-` and `_`, without padding (RFC 7515, appendix C).
    private static func forURL(_ text: String) -> String {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { digit -> UInt8 in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: digit
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func fromURL(_ text: String) -> String {
        let digits = text.utf8.map { digit -> UInt8 in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// The claims by their names on the wire.
private struct Claims: JWTPayload {
    struct Provider: Codable {
        let provider: String
        let providers: [String]

        init(_ account: Account) {
            providers = account.wayNames
            provider = providers.first ?? ""
        }
    }

    struct Method: Codable {
        let method: String
        let timestamp: Int64

        init(_ session: AccountSession) {
            method = session.method == .password ? "password" : "oauth"
            timestamp = session.created.microseconds / 1_000_000
        }
    }

    let iss: String
    let sub: String
    let aud: String
    let role: String
    let email: String
    var phone = ""
    let sessionID: String
    let iat: Int64
    let exp: Int64
    var aal = "aal1"
    let amr: [Method]
    let appMetadata: Provider
    var isAnonymous = false

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, role, email, phone, iat, exp, aal, amr
        case sessionID = "session_id"
        case appMetadata = "app_metadata"
        case isAnonymous = "is_anonymous"
    }

    /// `content` checks the times, as it knows the clock.
    func verify(using algorithm: some JWTAlgorithm) {}
}
