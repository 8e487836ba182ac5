import Media
import SignIn
import Supabase

/// Tokens that are issued elsewhere, which anyone may send.
enum TokenTargets {
    private static let rule = TokenRule(audience: "authenticated", issuer: "https://issuer.example")

    /// The bytes as a token, and as the texts of its header, claims and signature in three lines, because no fuzzer finds base64 of JSON.
    static func token(_ bytes: [UInt8]) throws(Broken) {
        try read(String(decoding: bytes, as: UTF8.self))
        let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return }
        try read(lines.map { Base64URL.encode(Array($0)) }.joined(separator: "."))
    }

    private static func read(_ text: String) throws(Broken) {
        guard let token = try? SignedToken(text) else { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try holds(parts.count == 3 && text.utf8.count <= 16 << 10, "a token of another form")
        try holds(token.message == Array("\(parts[0]).\(parts[1])".utf8), "another text than the signed one")
        try holds(Base64URL.encode(token.signature) == parts[2], "two texts for one signature")
        for part in parts.prefix(2) {
            try holds(Base64URL.decode(part.utf8).map(Base64URL.encode) == part, "two texts for the same bytes")
        }
        let names = token.claims.members?.map(\.key) ?? []
        try holds(Set(names).count == names.count, "two claims of one name")
        for second in [0, 1_800_000_000, 4_000_000_000] as [Int64] {
            let now = Instant(microseconds: second * 1_000_000)
            guard let (_, end) = try? rule.person(in: token.claims, at: now) else { continue }
            try holds(end > second, "a token that has ended")
            try holds(token.claims["role"] != .string("service_role"), "a key that is a person")
        }
    }

    static var tokens: [[UInt8]] {
        let header = #"{"alg":"ES256","typ":"JWT","kid":"one"}"#
        let claims =
            #"{"iss":"https://issuer.example","sub":"6f2a1c9e-8a4b-4c1d-9b0e-2f3a4b5c6d7e","aud":["authenticated"],"#
            + #""exp":1800003600,"nbf":0,"iat":1.8e9,"role":"authenticated","user_metadata":{"name":"\u00e9"}}"#
        return [
            "\(header)\n\(claims)\n\(String(repeating: "s", count: 64))",
            "{\"alg\":\"none\"}\n{\"sub\":\"auth0|5f7c\",\"exp\":1e300}\n", "{}\n{}\n",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIiwiZXhwIjoxfQ.AA",
        ].map { Array($0.utf8) }
    }
}
