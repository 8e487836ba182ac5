public import Documents
internal import JWTKit
public import Media
internal import ThumbnailCache

/// Signs and checks access tokens: JWTs (RFC 7519) by ES256, with the claims that clients of Supabase read.
public final class AccessTokens: Sendable {
    private let keys = JWTKeyCollection()
    private let identity: JWKIdentifier
    /// The public keys as a JWK set (RFC 7517).
    public let keySet: JSON

    /// How long a token is valid.
    public static let lifetime = Duration.seconds(900)
    private static let audience = "authenticated"
    private static let issuer = "compass"
    private static let mostByteCount = 4096

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

    /// - Parameter key: a private key of the curve P-256 as PEM.
    public init(key: String) async throws {
        let key = try ES256PrivateKey(pem: key)
        guard let parameters = key.publicKey.parameters else { throw Fault.invalid }
        let (x, y) = (Self.forURL(parameters.x), Self.forURL(parameters.y))
        let name = String("\(SHA256.digest(of: Array((x + "." + y).utf8)))".prefix(16))
        identity = JWKIdentifier(string: name)
        keySet = .object([
            "keys": .array([
                .object([
                    "kty": .string("EC"), "crv": .string("P-256"), "alg": .string("ES256"), "use": .string("sig"),
                    "kid": .string(name), "x": .string(x), "y": .string(y),
                ])
            ])
        ])
        await keys.add(ecdsa: key, kid: identity)
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
            amr: [.init(timestamp: grant.session.created.microseconds / 1_000_000)])
        return (try await keys.sign(claims, kid: identity), expiry)
    }

    /// What a token says, if this service signed it and it is valid now.
    public func content(of token: String, at now: Instant) async throws(Fault) -> Content {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= Self.mostByteCount, parts.count == 3,
            let header = try? JSON(parsing: Base64.decode(Self.fromURL(String(parts[0])!))),
            header["alg"]?.string == "ES256", header["kid"]?.string == identity.string
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
        var provider = "email"
        var providers = ["email"]
    }

    struct Method: Codable {
        var method = "password"
        let timestamp: Int64
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
    var appMetadata = Provider()
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
