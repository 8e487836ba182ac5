internal import CSodium

/// A password's digest by Argon2id (RFC 9106) as text, with its salt and cost.
public struct PasswordHash: Hashable, Sendable {
    /// The text, such as `$argon2id$v=19$m=65536,t=2,p=1$…`.
    public let text: String

    /// The memory that one digest takes, in bytes.
    public static let memoryByteCount = 64 << 20
    private static let passCount: UInt64 = 2

    /// A digest from a store.
    public init(text: String) { self.text = text }

    /// Stands for a digest if no password opens the account: no text is its password.
    public static let none = PasswordHash(text: "!")

    /// Computes the digest of a password with a new salt. Takes 64 MiB and about 60 ms.
    ///
    /// - Throws: `unavailable` if the memory is not available.
    public init(of password: String) throws(AccountError) {
        guard sodium_init() >= 0 else { throw .unavailable(detail: "libsodium cannot be used") }
        var text = [CChar](repeating: 0, count: 128)
        let bytes = Array(password.utf8CString)
        guard
            crypto_pwhash_str(&text, bytes, UInt64(bytes.count - 1), Self.passCount, Self.memoryByteCount) == 0
        else { throw .unavailable(detail: "no memory for a password's digest") }
        self.text = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the digest is this password's. Takes as long as to make a digest.
    public func matches(_ password: String) -> Bool {
        let bytes = Array(password.utf8CString)
        return crypto_pwhash_str_verify(text, bytes, UInt64(bytes.count - 1)) == 0
    }

    /// Lowers the calling thread's priority, so that other requests run before passwords.
    public static func lowerThreadPriority() { csodium_lower_priority() }

    /// Whether the digest was made at a cost other than today's.
    public var isOutdated: Bool { crypto_pwhash_str_needs_rehash(text, Self.passCount, Self.memoryByteCount) != 0 }
}
