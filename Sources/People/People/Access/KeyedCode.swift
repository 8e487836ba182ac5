internal import Hashing

/// Codes (HMAC-SHA-256) by which the service knows again what it has made itself: tokens, and addresses that can be handed on.
public struct KeyedCode: Sendable {
    private let purpose: [UInt8]
    private let secrets: Secrets

    /// How many bytes a code has.
    public static let byteCount = 32

    /// - Parameter purpose: what codes are for. Those of one purpose are worth nothing for another.
    public init(for purpose: String, _ secrets: Secrets) {
        self.purpose = Array(purpose.utf8)
        self.secrets = secrets
    }

    /// The code of a text, by the newest secret.
    public func code(of text: [UInt8]) -> [UInt8] { keyed(by: secrets.making).code(of: text) }

    /// Whether the service made the code of a text, by any secret that counts; in a time that does not tell where the code differs.
    public func accepts(_ code: [UInt8], of text: [UInt8]) -> Bool {
        secrets.first { secret -> Bool? in keyed(by: secret).accepts(code, of: text) ? true : nil } == true
    }

    /// The eight bytes of a number in what a code covers, the highest first.
    public static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// The number of eight bytes.
    public static func number(of bytes: some Sequence<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    private func keyed(by secret: [UInt8]) -> HMACSHA256 {
        HMACSHA256(key: HMACSHA256(key: Array(secret.prefix(32))).code(of: purpose))
    }
}
