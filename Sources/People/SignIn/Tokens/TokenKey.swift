internal import JWTKit

/// The ways of signing that can be configured. No other word in a token's header is one (RFC 7518, 3.1).
enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256, by a secret that issuer and service share.
    case hs256 = "HS256"
    /// ECDSA by the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256, by a key of 2,048 bits at least.
    case rs256 = "RS256"
}

/// A key that knows signatures by one algorithm, and by no other.
package struct TokenKey: Sendable {
    let algorithm: TokenAlgorithm
    /// The name that tokens call it by.
    let name: String?
    private let check: any JWTAlgorithm

    /// A shared secret.
    static func secret(_ bytes: [UInt8]) async throws -> TokenKey {
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256)
        return TokenKey(algorithm: .hs256, name: nil, check: try await keys.getKey())
    }

    /// A point of P-256, each coordinate in base64 for addresses.
    static func curve(x: String, y: String, name: String?) async throws -> TokenKey {
        let keys = await JWTKeyCollection().add(ecdsa: try ES256PublicKey(parameters: (x, y)))
        return TokenKey(algorithm: .es256, name: name, check: try await keys.getKey())
    }

    /// A modulus with its exponent, each in base64 for addresses.
    static func rsa(modulus: String, exponent: String, name: String?) async throws -> TokenKey {
        let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
        let keys = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256)
        return TokenKey(algorithm: .rs256, name: name, check: try await keys.getKey())
    }

    /// Whether the token's signature is by this key.
    package func hasSigned(_ token: SignedToken) -> Bool {
        guard token.algorithm == algorithm.rawValue else { return false }
        return (try? check.verify(token.signature, signs: token.message)) ?? false
    }
}
