internal import Access
internal import CSodium
internal import Documents
internal import Media

/// Makes and reads the tokens of sessions: a session, a number, and a code (HMAC-SHA-256) that the service alone can make.
///
/// No token is stored, and yet the same one can be given twice: to two tabs that refresh at once.
struct SessionTokens: Sendable {
    /// What tokens are for. Those of one purpose are worth nothing for another.
    enum Purpose: String {
        case refresh = "refresh tokens"
        case cookie = "session cookies"
    }

    private let purpose: Purpose
    private let secrets: Secrets

    init(for purpose: Purpose, _ secrets: Secrets) {
        self.purpose = purpose
        self.secrets = secrets
    }

    private func key(_ secret: [UInt8]) -> [UInt8] {
        Self.code(of: Array(purpose.rawValue.utf8), with: Array(secret.prefix(32)))
    }

    /// The token of a session with a number.
    func text(of session: ID<AccountSession>, _ number: Int64) -> String {
        let body = session.bytes + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return Hex.string(body + Self.code(of: body, with: key(secrets.newest)))
    }

    /// The session and number of a token; `nil` for a text that the service did not make.
    func parts(of text: String) -> (session: ID<AccountSession>, number: Int64)? {
        guard text.utf8.count == 112, let bytes = Hex.bytes(Array(text.utf8)) else { return nil }
        let body = Array(bytes[..<24])
        let code = Array(bytes[24...])
        let isOwn = secrets.first { secret in
            crypto_auth_hmacsha256_verify(code, body, UInt64(body.count), key(secret)) == 0 ? true : nil
        }
        guard isOwn == true, let session = ID<AccountSession>(bytes: Array(body[..<16]))
        else { return nil }
        return (session, body[16...].reduce(0) { $0 << 8 | Int64($1) })
    }

    private static func code(of message: [UInt8], with key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256(&code, message, UInt64(message.count), key)
        return code
    }
}
