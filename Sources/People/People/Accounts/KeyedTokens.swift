internal import Media

/// Makes and reads tokens of a subject: its identity, a number, and a code (HMAC-SHA-256) that the service alone can make.
///
/// None is stored, and yet the same one can be given twice: to two tabs that refresh at once. A code may cover a state beside the token:
/// once that has changed, the token is worth nothing.
struct KeyedTokens<Subject>: Sendable {
    private let codes: KeyedCode

    /// What a text says that may not be the service's.
    struct Claim: Sendable {
        let id: ID<Subject>
        let number: Int64
        fileprivate let body: [UInt8]
        fileprivate let code: [UInt8]
    }

    /// - Parameter purpose: what tokens are for. Those of one purpose are worth nothing for another.
    init(for purpose: TokenPurpose, _ secrets: Secrets) {
        codes = KeyedCode(for: purpose.rawValue, secrets)
    }

    /// The token of an identity with a number.
    func text(of id: ID<Subject>, _ number: Int64, state: String = "") -> String {
        let body = id.bytes + KeyedCode.bytes(of: number)
        return Hex.string(body + codes.code(of: body + Array(state.utf8)))
    }

    /// What a token without a state says; `nil` for a text that the service did not make.
    func verified(_ text: String) -> Claim? { claim(of: text).flatMap { accepts($0) ? $0 : nil } }

    /// What a text says, to be believed once `accepts` has its state; `nil` for one that is no token.
    func claim(of text: String) -> Claim? {
        guard text.utf8.count == 112, let bytes = Hex.bytes(Array(text.utf8)),
            let id = ID<Subject>(bytes: Array(bytes[..<16]))
        else { return nil }
        return Claim(
            id: id, number: KeyedCode.number(of: bytes[16..<24]), body: Array(bytes[..<24]),
            code: Array(bytes[24...]))
    }

    /// Whether the service made the token in this state, by any secret that counts; in a time that does not tell where its code differs.
    func accepts(_ claim: Claim, state: String = "") -> Bool {
        codes.accepts(claim.code, of: claim.body + Array(state.utf8))
    }
}

/// What keyed tokens are for.
enum TokenPurpose: String {
    /// A session goes on; the number is that of the token in its session.
    case refresh = "refresh tokens"
    /// The same, in a browser.
    case cookie = "session cookies"
    /// A mailed link sets a password; the number is the second since 1970 at which it ends, the state the present password's digest.
    case reset = "mailed resets"
    /// A mailed link confirms an address; the number is its end, the state the address.
    case confirmation = "mailed confirmations"
    /// A link makes somebody an athlete's guardian; the number is the second since 1970 at which it ends.
    case invitation = "invitations of guardians"
}
