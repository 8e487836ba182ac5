internal import Media

/// Reads the public keys of an issuer: a JWK set (RFC 7517).
package enum TokenKeySet {
    static let mostByteCount = 256 << 10
    static let mostKeys = 100

    /// Why a set cannot be used.
    package struct Fault: Error, CustomStringConvertible {
        /// Such as “it has no key for ES256 or RS256”.
        package let description: String
    }

    /// The keys that may verify signatures. Members of other kinds are skipped: above all shared secrets (`oct`), which
    /// a public set cannot have.
    ///
    /// - Throws: `Fault` if no key is left.
    package static func keys(in bytes: [UInt8]) async throws(Fault) -> [TokenKey] {
        guard bytes.count <= mostByteCount, let json = try? JSON(parsing: bytes), let members = json["keys"]?.array
        else { throw Fault(description: "it is not a set of keys (RFC 7517)") }
        guard members.count <= mostKeys else { throw Fault(description: "it has more than \(mostKeys) keys") }
        var keys: [TokenKey] = []
        for member in members {
            if let key = await key(member) { keys.append(key) }
        }
        guard !keys.isEmpty else { throw Fault(description: "it has no key for ES256 or RS256") }
        return keys
    }

    /// The keys of a set that may have signed a token: the keys of its name and algorithm; if it gives no name, the
    /// only key of its algorithm.
    package static func candidates(for token: SignedToken, among keys: [TokenKey]) -> [TokenKey] {
        let keys = keys.filter { $0.algorithm.rawValue == token.algorithm }
        guard let name = token.keyName else { return keys.count == 1 ? keys : [] }
        return keys.filter { $0.name == name }
    }

    private static func key(_ json: JSON) async -> TokenKey? {
        guard isForSignatures(json) else { return nil }
        let name = json["kid"]?.string
        switch (json["kty"]?.string, json["alg"]?.string) {
        case ("EC", "ES256"), ("EC", nil):
            guard json["crv"]?.string == "P-256", let x = json["x"]?.string, let y = json["y"]?.string else {
                return nil
            }
            return try? await .curve(x: x, y: y, name: name)
        case ("RSA", "RS256"), ("RSA", nil):
            guard let modulus = json["n"]?.string, let exponent = json["e"]?.string else { return nil }
            return try? await .rsa(modulus: modulus, exponent: exponent, name: name)
        default: return nil
        }
    }

    private static func isForSignatures(_ json: JSON) -> Bool {
        if let use = json["use"], use.string != "sig" { return false }
        if let operations = json["key_ops"] { return operations.array?.contains(.string("verify")) == true }
        return true
    }
}
