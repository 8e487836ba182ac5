internal import Library
internal import Media
public import People

/// The keys that clients send as `apikey`, and the signatures of addresses.
public struct WireKeys: Sendable {
    /// What a key allows.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// Nothing that belongs to a person, unless a person signs in.
        case anonymous = "anon"
        /// Everything.
        case service = "service_role"
    }

    private let secrets: Secrets

    /// Keys and signatures with secrets.
    public init(_ secrets: Secrets) { self.secrets = secrets }

    /// The same keys, with the secrets in use now.
    var snapshot: WireKeys { WireKeys(secrets.snapshot) }

    /// The key of a role, which does not change until there is a newer secret.
    public func key(of role: Role) -> String {
        WireToken.sign(
            .object(["iss": .string("compass"), "role": .string(role.rawValue), "iat": .integer(1_700_000_000)]),
            with: secrets.making)
    }

    /// Whether a text is the service's secret key.
    public func isServiceKey(_ text: String) -> Bool { role(of: text) == .service }

    /// The role of a key; `nil` for any other text.
    func role(of key: String) -> Role? {
        guard let claims = try? claims(of: key), claims["sub"] == nil, claims["url"] == nil else { return nil }
        return claims["role"]?.string.flatMap(Role.init(rawValue:))
    }

    /// Signs an address for a limited time.
    func sign(_ claims: [JSON.Member], seconds: Int64) -> String {
        let now = Self.now
        return WireToken.sign(
            .object(claims + [JSON.Member("iat", .integer(now)), JSON.Member("exp", .integer(now &+ seconds))]),
            with: secrets.making)
    }

    /// The claims of an address's token.
    ///
    /// - Parameter longest: the seconds after which a token expires, whatever it says.
    func claims(of token: String, atMost longest: Int64) throws(WireToken.Fault) -> JSON {
        let claims = try claims(of: token)
        guard let start = claims["iat"]?.integer, Self.now - start < longest else { throw .expired }
        return claims
    }

    /// The claims of a token.
    private func claims(of token: String) throws(WireToken.Fault) -> JSON {
        let now = Self.now
        let result = secrets.first { secret -> Result<JSON, WireToken.Fault>? in
            do throws(WireToken.Fault) {
                return .success(try WireToken(token, secret: secret, now: now).claims)
            } catch {
                return error == .badSignature ? nil : .failure(error)
            }
        }
        guard let result else { throw .badSignature }
        return try result.get()
    }

    static var now: Int64 { Instant.now.microseconds / 1_000_000 }
}
