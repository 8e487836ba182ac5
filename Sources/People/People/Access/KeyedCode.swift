internal import Hashing

/// Codes (HMAC-SHA-256) by which the service recognises what it made: tokens, and addresses that can be passed on.
public struct KeyedCode: Sendable {
    private let purpose: [UInt8]
    private let secrets: Secrets

    /// How many bytes a code has.
    public static let byteCount = 32

    /// - Parameter purpose: what codes are for. A code of one purpose is not valid for another.
    public init(for purpose: String, _ secrets: Secrets) {
        self.purpose = Array(purpose.utf8)
        self.secrets = secrets
    }

    /// The code of a text, with the newest secret.
    public func code(of text: [UInt8]) -> [UInt8] { keyed(by: secrets.making).code(of: text) }

    /// Whether the service made the code of a text, with any secret in use. The comparison takes constant time.
    public func accepts(_ code: [UInt8], of text: [UInt8]) -> Bool {
        secrets.first { secret -> Bool? in keyed(by: secret).accepts(code, of: text) ? true : nil } == true
    }

    /// A number as eight bytes, the highest first, for the text that a code covers.
    public static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// The number of eight bytes.
    public static func number(of bytes: some Sequence<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    private func keyed(by secret: [UInt8]) -> HMACSHA256 {
        HMACSHA256(key: HMACSHA256(key: Array(secret.prefix(32))).code(of: purpose))
    }
}
