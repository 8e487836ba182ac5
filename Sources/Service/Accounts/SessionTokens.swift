internal import Access
internal import Documents
internal import Media

/// Makes and reads the tokens of sessions: a session, a number, and a code that the service alone can make.
///
/// No token is stored, and yet the same one can be given twice: to two tabs that refresh at once.
struct SessionTokens: Sendable {
    /// What tokens are for. Those of one purpose are worth nothing for another.
    enum Purpose: String {
        case refresh = "refresh tokens"
        case cookie = "session cookies"
    }

    private let codes: KeyedCode

    init(for purpose: Purpose, _ secrets: Secrets) { codes = KeyedCode(for: purpose.rawValue, secrets) }

    /// The token of a session with a number.
    func text(of session: ID<AccountSession>, _ number: Int64) -> String {
        let body = session.bytes + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return Hex.string(body + codes.code(of: body))
    }

    /// The session and number of a token; `nil` for a text that the service did not make.
    func parts(of text: String) -> (session: ID<AccountSession>, number: Int64)? {
        guard text.utf8.count == 112, let bytes = Hex.bytes(Array(text.utf8)) else { return nil }
        let body = Array(bytes[..<24])
        guard codes.accepts(Array(bytes[24...]), of: body), let session = ID<AccountSession>(bytes: Array(body[..<16]))
        else { return nil }
        return (session, body[16...].reduce(0) { $0 << 8 | Int64($1) })
    }
}
