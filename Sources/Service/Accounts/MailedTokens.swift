internal import Access
internal import Documents
internal import Media

/// Makes and reads the tokens in links that are mailed: a person, an end, and a code that the service alone can make.
///
/// None is stored. The code covers what its use changes, such as the digest of the password that it resets, so that a used token is
/// worth nothing.
struct MailedTokens: Sendable {
    /// What a link does.
    enum Purpose: String {
        case reset = "mailed resets"
        case confirmation = "mailed confirmations"
    }

    private let codes: KeyedCode

    init(for purpose: Purpose, _ secrets: Secrets) { codes = KeyedCode(for: purpose.rawValue, secrets) }

    /// A token of a person's.
    ///
    /// - Parameters:
    ///   - expiry: the second since 1970 from which it is worth nothing.
    ///   - state: what its use changes.
    func text(of person: ID<Person>, until expiry: Int64, state: String) -> String {
        let body = person.bytes + (0..<8).map { UInt8(truncatingIfNeeded: expiry >> (56 - 8 * $0)) }
        return Hex.string(body + codes.code(of: body + Array(state.utf8)))
    }

    /// The person that a token names, who may not have it from the service.
    func person(of text: String) -> ID<Person>? { Self.bytes(text).flatMap { ID<Person>(bytes: Array($0[..<16])) } }

    /// Whether the service made the token for the person in this state, and its time is not over.
    func accepts(_ text: String, state: String, at now: Instant) -> Bool {
        guard let bytes = Self.bytes(text) else { return false }
        guard codes.accepts(Array(bytes[24...]), of: Array(bytes[..<24]) + Array(state.utf8)) else { return false }
        return now.microseconds / 1_000_000 < bytes[16..<24].reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        text.utf8.count == 112 ? Hex.bytes(Array(text.utf8)) : nil
    }
}
