internal import Foundation
package import JWTKit
package import Media

/// Makes tokens as an issuer does, and tokens that no issuer makes. Its keys are generated at run time.
package struct Issuer: Sendable {
    /// The `iss` of tokens.
    package static let name = "https://issuer.example/auth/v1"
    /// The `sub` of good tokens.
    package static let person = "6f2a1c9e-8a4b-4c1d-9b0e-2f3a4b5c6d7e"
    /// The time at which good tokens are made, in seconds since 1970.
    package static let second: Int64 = 1_800_000_000

    /// Makes new keys.
    package init() {}

    package let curve = ES256PrivateKey()
    package let secret = (0..<40).map { _ in UInt8.random(in: 33...126) }

    /// The header and claims of a good token.
    package static func header(_ algorithm: String = "ES256", kid: String? = "one") -> JSON {
        .object(["alg": .string(algorithm), "typ": .string("JWT"), "kid": kid.map(JSON.string)])
    }

    package static func claims(_ changes: [JSON.Member] = [], without name: String? = nil) -> JSON {
        let claims = [
            JSON.Member("iss", .string(self.name)), JSON.Member("sub", .string(person)),
            JSON.Member("aud", .string("authenticated")), JSON.Member("role", .string("authenticated")),
            JSON.Member("iat", .integer(second - 10)), JSON.Member("exp", .integer(second + 3600)),
        ]
        let names = Set(changes.map(\.key))
        return .object(claims.filter { $0.key != name && !names.contains($0.key) } + changes)
    }

    /// The public key as PEM.
    package var publicPEM: String { curve.publicKey.pemRepresentation }

    /// The public key as a member of a JWK set.
    package func publicKey(kid: String? = "one", _ changes: [JSON.Member] = []) -> JSON {
        let parameters = curve.publicKey.parameters!
        let names = Set(changes.map(\.key))
        let members = [
            JSON.Member("kty", .string("EC")), JSON.Member("crv", .string("P-256")),
            JSON.Member("x", .string(Self.forAddress(parameters.x))),
            JSON.Member("y", .string(Self.forAddress(parameters.y))),
        ]
        return .object(
            members.filter { !names.contains($0.key) } + (kid.map { [JSON.Member("kid", .string($0))] } ?? []) + changes
        )
    }

    package static func set(_ keys: JSON...) -> [UInt8] { Array(JSON.object(["keys": .array(keys)]).text.utf8) }

    /// A token signed by the curve's key.
    package func token(_ header: JSON = header(), _ claims: JSON = claims()) async throws -> String {
        try await token(text: header.text, claims.text)
    }

    package func token(text header: String, _ claims: String) async throws -> String {
        try Self.token(header, claims, try await JWTKeyCollection().add(ecdsa: curve).getKey())
    }

    /// A token signed by HMAC with a secret.
    package func token(_ header: JSON = header("HS256"), _ claims: JSON = claims(), secret: [UInt8]) async throws
        -> String
    {
        let key = HMACKey(from: secret)
        let keys = await JWTKeyCollection().add(hmac: key, digestAlgorithm: .sha256)
        return try Self.token(header.text, claims.text, try await keys.getKey())
    }

    package static func token(_ header: String, _ claims: String, _ algorithm: any JWTAlgorithm) throws -> String {
        let message = encoded(Array(header.utf8)) + "." + encoded(Array(claims.utf8))
        return message + "." + encoded(try algorithm.sign(Array(message.utf8)))
    }

    package static func encoded(_ bytes: [UInt8]) -> String { forAddress(Base64.encode(bytes)) }

    package static func forAddress(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

/// An RSA key, made by openssl.
package struct RSAIssuer {
    package let pem: String

    package init(bits: Int = 2048) throws { pem = try Self.openssl(["genrsa", "\(bits)"]) }

    private static func openssl(_ arguments: [String], input: String = "") throws -> String {
        let (process, standardInput, pipe) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    package func token(_ header: JSON = Issuer.header("RS256", kid: "rsa"), _ claims: JSON = Issuer.claims())
        async throws
        -> String
    {
        let key = try Insecure.RSA.PrivateKey(pem: pem)
        let algorithm = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
        return try Issuer.token(header.text, claims.text, algorithm)
    }

    package func publicKey(kid: String = "rsa", _ changes: [JSON.Member] = []) throws -> JSON {
        let answer = try Self.openssl(["rsa", "-noout", "-modulus"], input: pem)
        let digits = answer.drop { $0 != "=" }.dropFirst().prefix { $0.isHexDigit }
        let modulus = Hex.bytes(Array(digits.lowercased().utf8)) ?? []
        return .object(
            [
                JSON.Member("kty", .string("RSA")), JSON.Member("kid", .string(kid)),
                JSON.Member("n", .string(Issuer.encoded(modulus))),
                JSON.Member("e", .string("AQAB")),
            ] + changes)
    }
}
