internal import HTTPSyntax
package import Media
internal import ThumbnailCache

/// A token of three parts that the service signs with its own secret: a JWT (RFC 7519) by HMAC with SHA-256.
package struct WireToken {
    /// What the token says.
    package let claims: JSON

    /// Signs claims.
    package static func sign(_ claims: JSON, with secret: [UInt8]) -> String {
        let head =
            Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "."
            + Base64URL.encode(Array(claims.text.utf8))
        return head + "." + Base64URL.encode(authentication(of: Array(head.utf8), with: secret))
    }

    /// Why a token is refused.
    package enum Fault: Error {
        case malformed, badSignature, expired
    }

    /// Checks signature and time.
    package init(_ text: String, secret: [UInt8], now: Int64) throws(Fault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= 8192, parts.count == 3,
            let header = Base64URL.decode(parts[0].utf8).flatMap({ try? JSON(parsing: $0) }),
            let claims = Base64URL.decode(parts[1].utf8).flatMap({ try? JSON(parsing: $0) }), claims.members != nil
        else { throw .malformed }
        guard header["alg"]?.string == "HS256" else { throw .badSignature }
        let expected = Base64URL.encode(Self.authentication(of: Array((parts[0] + "." + parts[1]).utf8), with: secret))
        guard Self.areEqual(Array(expected.utf8), Array(parts[2].utf8)) else { throw .badSignature }
        if let end = claims["exp"] {
            guard let end = end.number, Double(now) < end else { throw .expired }
        }
        self.claims = claims
    }

    /// HMAC (RFC 2104) with SHA-256, whose blocks have 64 bytes.
    package static func authentication(of message: [UInt8], with secret: [UInt8]) -> [UInt8] {
        var key = secret.count > 64 ? SHA256.digest(of: secret).bytes : secret
        key += [UInt8](repeating: 0, count: 64 - key.count)
        let inner = SHA256.digest(of: key.map { $0 ^ 0x36 } + message).bytes
        return SHA256.digest(of: key.map { $0 ^ 0x5C } + inner).bytes
    }

    /// In a time that does not tell where the texts differ.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
