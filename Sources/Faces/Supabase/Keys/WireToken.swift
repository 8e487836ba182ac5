internal import Hashing
package import Media

/// A token of three parts that the service signs with its own secret: a JWT (RFC 7519) with HMAC and SHA-256.
package struct WireToken {
    /// The content of the token.
    package let claims: JSON

    /// Signs claims.
    package static func sign(_ claims: JSON, with secret: [UInt8]) -> String {
        let signed = header + Base64URL.encode(Array(claims.text.utf8))
        return signed + "." + Base64URL.encode(HMACSHA256(key: secret).code(of: Array(signed.utf8)))
    }

    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "."

    /// Why a token is refused.
    package enum Fault: Error {
        case malformed, badSignature, expired
    }

    /// Verifies signature and expiry.
    package init(_ text: String, secret: [UInt8], now: Int64) throws(Fault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= 8192, parts.count == 3,
            let header = Base64URL.decode(parts[0].utf8).flatMap({ try? JSON(parsing: $0) }),
            let claims = Base64URL.decode(parts[1].utf8).flatMap({ try? JSON(parsing: $0) }), claims.members != nil
        else { throw .malformed }
        guard header["alg"]?.string == "HS256" else { throw .badSignature }
        guard let code = Base64URL.decode(parts[2].utf8),
            HMACSHA256(key: secret).accepts(code, of: Array((parts[0] + "." + parts[1]).utf8))
        else { throw .badSignature }
        if let end = claims["exp"] {
            guard let end = end.number, Double(now) < end else { throw .expired }
        }
        self.claims = claims
    }
}
