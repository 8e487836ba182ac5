internal import Media

/// Makes and reads tokens of a subject: its ID, a number, and a code (HMAC-SHA-256) that only the service can make.
///
/// No token is stored, yet the same one can be issued twice: to two tabs that refresh at once. A code may cover a state
/// besides the token: once that state changes, the token is no longer valid.
struct KeyedTokens<Subject>: Sendable {
    private let codes: KeyedCode

    /// The content of a text that may not be the service's.
    struct Claim: Sendable {
        let id: ID<Subject>
        let number: Int64
        fileprivate let body: [UInt8]
        fileprivate let code: [UInt8]
    }

    /// - Parameter purpose: what tokens are for. A token of one purpose is not valid for another.
    init(for purpose: TokenPurpose, _ secrets: Secrets) {
        codes = KeyedCode(for: purpose.rawValue, secrets)
    }

    /// The token of an ID with a number.
    func text(of id: ID<Subject>, _ number: Int64, state: String = "") -> String {
        let body = id.bytes + KeyedCode.bytes(of: number)
        return Hex.string(body + codes.code(of: body + Array(state.utf8)))
    }

    /// The content of a token without a state; `nil` for a text that the service did not make.
    func verified(_ text: String) -> Claim? { claim(of: text).flatMap { accepts($0) ? $0 : nil } }

    /// The content of a text, not valid until `accepts` has checked it with its state; `nil` for a text that is not a
    /// token.
    func claim(of text: String) -> Claim? {
        guard text.utf8.count == 112, let bytes = Hex.bytes(Array(text.utf8)),
            let id = ID<Subject>(bytes: Array(bytes[..<16]))
        else { return nil }
        return Claim(
            id: id, number: KeyedCode.number(of: bytes[16..<24]), body: Array(bytes[..<24]),
            code: Array(bytes[24...]))
    }

    /// Whether the service made the token in this state, with any secret in use. The comparison takes constant time.
    func accepts(_ claim: Claim, state: String = "") -> Bool {
        codes.accepts(claim.code, of: claim.body + Array(state.utf8))
    }
}

/// What keyed tokens are for.
enum TokenPurpose: String {
    /// Continues a session; the number is the token's number in its session.
    case refresh = "refresh tokens"
    /// The same, in a browser.
    case cookie = "session cookies"
    /// A mailed link sets a password; the number is the second since 1970 at which it ends, the state is the present
    /// password's digest.
    case reset = "mailed resets"
    /// A mailed link confirms an address; the number is its end, the state is the address.
    case confirmation = "mailed confirmations"
    /// A link makes somebody an athlete's guardian; the number is the second since 1970 at which it ends.
    case invitation = "invitations of guardians"
}
