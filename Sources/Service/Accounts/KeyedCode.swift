internal import Access
internal import CSodium

/// Codes (HMAC-SHA-256) over texts, which the service alone can make. Those of one purpose are worth nothing for another.
struct KeyedCode: Sendable {
    private let purpose: [UInt8]
    private let secrets: Secrets

    /// The length of a code in bytes.
    static let byteCount = 32

    init(for purpose: String, _ secrets: Secrets) {
        self.purpose = Array(purpose.utf8)
        self.secrets = secrets
    }

    /// The code of a text by the newest secret.
    func code(of text: [UInt8]) -> [UInt8] { Self.code(of: text, with: key(secrets.newest)) }

    /// Whether a code is the text's by any secret that counts, in a time that does not tell where it differs.
    func accepts(_ code: [UInt8], of text: [UInt8]) -> Bool {
        let accepting: Bool? = secrets.first { secret in
            crypto_auth_hmacsha256_verify(code, text, UInt64(text.count), key(secret)) == 0 ? true : nil
        }
        return accepting == true
    }

    private func key(_ secret: [UInt8]) -> [UInt8] { Self.code(of: purpose, with: Array(secret.prefix(32))) }

    private static func code(of text: [UInt8], with key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        crypto_auth_hmacsha256(&code, text, UInt64(text.count), key)
        return code
    }
}
