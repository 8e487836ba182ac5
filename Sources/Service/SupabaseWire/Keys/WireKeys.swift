internal import Documents
internal import Library
internal import Media

/// The keys that clients send as `apikey`, and the signatures of addresses.
public struct WireKeys: Sendable {
    /// What a key allows.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// Nothing that is somebody's, unless a person signs in.
        case anonymous = "anon"
        /// Everything.
        case service = "service_role"
    }

    private let secret: [UInt8]

    /// Keys from a secret of at least 32 bytes.
    public init(secret: [UInt8]) {
        precondition(secret.count >= 32)
        self.secret = secret
    }

    /// The key of a role, which stays the same as long as the secret does.
    public func key(of role: Role) -> String {
        WireToken.sign(
            .object(["iss": .string("compass"), "role": .string(role.rawValue), "iat": .integer(1_700_000_000)]),
            with: secret)
    }

    /// The role of a key; `nil` for what is none.
    func role(of key: String) -> Role? {
        guard let token = try? WireToken(key, secret: secret, now: Self.now), token.claims["sub"] == nil,
            token.claims["url"] == nil
        else { return nil }
        return token.claims["role"]?.string.flatMap(Role.init(rawValue:))
    }

    /// Signs an address for a time.
    func sign(_ claims: [JSON.Member], seconds: Int64) -> String {
        let now = Self.now
        return WireToken.sign(
            .object(claims + [JSON.Member("iat", .integer(now)), JSON.Member("exp", .integer(now &+ seconds))]),
            with: secret)
    }

    /// The claims of an address's token.
    func claims(of token: String) throws(WireToken.Fault) -> JSON {
        try WireToken(token, secret: secret, now: Self.now).claims
    }

    static var now: Int64 { Instant.now.microseconds / 1_000_000 }
}
