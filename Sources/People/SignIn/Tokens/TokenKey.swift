internal import JWTKit

/// The signature algorithms that can be configured. No other word in a token's header is accepted (RFC 7518, 3.1).
enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256, with a secret that issuer and service share.
    case hs256 = "HS256"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256, with a key of at least 2,048 bits.
    case rs256 = "RS256"
}

/// A key that verifies signatures of one algorithm only.
package struct TokenKey: Sendable {
    let algorithm: TokenAlgorithm
    /// The name that tokens give it.
    let name: String?
    private let check: any JWTAlgorithm

    /// A shared secret.
    static func secret(_ bytes: [UInt8]) async throws -> TokenKey {
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256)
        return TokenKey(algorithm: .hs256, name: nil, check: try await keys.getKey())
    }

    /// A point of P-256, each coordinate in base64url.
    static func curve(x: String, y: String, name: String?) async throws -> TokenKey {
        let keys = await JWTKeyCollection().add(ecdsa: try ES256PublicKey(parameters: (x, y)))
        return TokenKey(algorithm: .es256, name: name, check: try await keys.getKey())
    }

    /// A modulus with its exponent, each in base64url.
    static func rsa(modulus: String, exponent: String, name: String?) async throws -> TokenKey {
        let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
        let keys = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256)
        return TokenKey(algorithm: .rs256, name: name, check: try await keys.getKey())
    }

    /// Whether this key made the token's signature.
    package func hasSigned(_ token: SignedToken) -> Bool {
        guard token.algorithm == algorithm.rawValue else { return false }
        return (try? check.verify(token.signature, signs: token.message)) ?? false
    }
}
