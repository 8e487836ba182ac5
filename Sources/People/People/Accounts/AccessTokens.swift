internal import Hashing
internal import JWTKit
public import Media
internal import Synchronization

/// Signs and checks access tokens: JWTs (RFC 7519) with ES256, and with the claims that clients of Supabase read.
///
/// If there are several keys, the first one signs, and all verify.
public final class AccessTokens: Sendable {
    /// The keys as text, and as they are used.
    private struct Ring: Sendable {
        let source: [String]
        let keys: JWTKeyCollection
        let publicKeys: [PublicKey]
    }

    private struct PublicKey: Sendable {
        let name: String
        let json: JSON
    }

    private let reading: @Sendable () -> [String]
    private let ring: Mutex<Ring>

    /// How long a token is valid.
    public static let lifetime = Duration.seconds(900)
    private static let audience = "authenticated"
    private static let issuer = "compass"
    private static let mostByteCount = 4096

    /// What a token says.
    public struct Content: Hashable, Sendable {
        /// The person who signed in.
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

    /// - Parameter reading: returns the private P-256 keys in use as PEM (RFC 7468), at least one; the first signs.
    public init(_ reading: @escaping @Sendable () -> [String]) async throws {
        self.reading = reading
        ring = Mutex(try await Self.ring(of: reading()))
    }

    /// One key that does not change.
    public convenience init(key: String) async throws { try await self.init { [key] } }

    private static func ring(of source: [String]) async throws -> Ring {
        let keys = JWTKeyCollection()
        var publicKeys: [PublicKey] = []
        for pem in source {
            let key = try ES256PrivateKey(pem: pem)
            guard let parameters = key.publicKey.parameters else { throw Fault.invalid }
            let (x, y) = (Base64URL.encode(Base64.decode(parameters.x)), Base64URL.encode(Base64.decode(parameters.y)))
            let name = String("\(SHA256.digest(of: Array((x + "." + y).utf8)))".prefix(16))
            let json = JSON.object([
                "kty": .string("EC"), "crv": .string("P-256"), "alg": .string("ES256"), "use": .string("sig"),
                "kid": .string(name), "x": .string(x), "y": .string(y),
            ])
            await keys.add(ecdsa: key, kid: JWKIdentifier(string: name))
            publicKeys.append(PublicKey(name: name, json: json))
        }
        return Ring(source: source, keys: keys, publicKeys: publicKeys)
    }

    /// The current keys. If changed keys cannot be used, the previous ones stay.
    private func current() async -> Ring {
        let source = reading()
        let known = ring.withLock { $0 }
        guard source != known.source, let changed = try? await Self.ring(of: source) else { return known }
        ring.withLock { $0 = changed }
        return changed
    }

    /// The public keys as a JWK set (RFC 7517), the signing key first.
    public var keySet: JSON {
        get async { .object(["keys": .array(await current().publicKeys.map(\.json))]) }
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
        return (try await ring.keys.sign(claims, kid: JWKIdentifier(string: ring.publicKeys[0].name)), expiry)
    }

    /// What a token says, if this service signed it and it is valid now.
    public func content(of token: String, at now: Instant) async throws(Fault) -> Content {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= Self.mostByteCount, parts.count == 3,
            let header = Base64URL.decode(parts[0]).flatMap({ try? JSON(parsing: $0) }),
            header["alg"]?.string == "ES256", let name = header["kid"]?.string
        else { throw .invalid }
        let ring = await current()
        guard ring.publicKeys.contains(where: { $0.name == name }) else { throw .invalid }
        let claims: Claims
        do {
            claims = try await ring.keys.verify(token, as: Claims.self)
        } catch {
            throw .invalid
        }
        guard claims.iss == Self.issuer, claims.aud == Self.audience, let person = ID<Person>(claims.sub),
            let session = ID<AccountSession>(claims.sessionID)
        else { throw .invalid }
        guard now.microseconds / 1_000_000 < claims.exp else { throw .expired }
        return Content(person: person, session: session, expiry: claims.exp)
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
