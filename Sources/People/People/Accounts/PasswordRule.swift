/// Decides which passwords the service accepts.
public struct PasswordRule: Hashable, Sendable {
    /// The fewest characters of a password.
    public let leastCount: Int
    /// The most bytes of a password in UTF-8.
    public static let mostByteCount = 4096

    /// A rule with a minimum number of characters.
    public init(leastCount: Int = 8) { self.leastCount = leastCount }

    /// Why a password is refused.
    public enum Fault: Hashable, Sendable {
        /// It has fewer characters than this.
        case tooShort(leastCount: Int)
        /// It has more bytes than `mostByteCount`.
        case tooLong

        /// What the person is told.
        public var message: String {
            switch self {
            case .tooShort(let count): "Password should be at least \(count) characters."
            case .tooLong: "Password should be at most \(PasswordRule.mostByteCount) bytes long."
            }
        }
    }

    /// Throws unless the password is acceptable.
    public func check(_ password: String) throws(AccountError) {
        // The byte length comes first: counting the characters of a megabyte takes long.
        guard password.utf8.count <= Self.mostByteCount else { throw .badPassword(.tooLong) }
        guard password.count >= leastCount else { throw .badPassword(.tooShort(leastCount: leastCount)) }
    }
}
