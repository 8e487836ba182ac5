import Console
import Linux
import Logging
import Media
import SignIn

/// Tokens that are issued elsewhere, with the keys that the settings name.
struct TokenService {
    private let keys: TokenKeys
    private let rule: TokenRule
    private let logger: Logger
    private let renewing: Task<Void, Never>

    /// Reads the secret, and fetches the public keys once. If they are not available now, the service starts without
    /// them, reports that at `/readyz`, and keeps trying.
    ///
    /// - Throws: `usage` if settings are missing or invalid; `unavailable` if a file cannot be used.
    init(_ settings: ServiceSettings, _ logger: Logger) throws(Failure) {
        guard settings.tokenSecretPath != nil || settings.tokenKeys != nil else {
            throw Failure(.usage, message: "--auth tokens needs --token-secret-file or --token-keys.")
        }
        if settings.tokenKeys != nil, settings.tokenIssuer == nil {
            throw Failure(.usage, message: "--token-keys needs --token-issuer: what tokens have as iss.")
        }
        let secret = try settings.tokenSecretPath.map { path throws(Failure) in try Self.secret(path, logger) }
        let source = try settings.tokenKeys.map { text throws(Failure) in try KeySetSource(text, logger) }
        let made = Promise<TokenKeys?>()
        Task {
            let keys = try? await TokenKeys(
                secret: secret, fetching: source?.fetching, pace: source?.isFile == true ? .file : .address,
                report: { Self.tell($0, logger) })
            await keys?.renew()
            made.fulfil(keys)
        }
        guard let keys = made.wait() else {
            throw Failure(.unavailable, message: "The token secret cannot be used.")
        }
        if keys.areMissing, source?.isFile == true {
            throw Failure(.unavailable, message: "The keys in \(settings.tokenKeys ?? "") cannot be used.")
        }
        self.keys = keys
        rule = TokenRule(audience: settings.tokenAudience, issuer: settings.tokenIssuer)
        self.logger = logger
        renewing = Task { await keys.run() }
    }

    /// Identifies persons by their tokens.
    var authenticator: TokenAuthenticator {
        TokenAuthenticator(
            keys, rule,
            report: { [logger] fault in
                logger.info("a token was refused", metadata: ["reason": "\(fault.rawValue)"])
            })
    }

    /// Why nobody can be identified now; `nil` if people can be.
    var hindrance: String? { keys.areMissing ? "token keys: not fetched yet" : nil }

    /// Ends the renewal of keys.
    func stop() { renewing.cancel() }

    /// The text of the file, as Supabase shows it: its bytes are the secret.
    private static func secret(_ path: String, _ logger: Logger) throws(Failure) -> [UInt8] {
        let text = try SmallFile.bytes(of: path)
        if let status = try? FileStatus.of(path: path), status.mode & 0o004 != 0 {
            logger.warning("every user of this machine can read the token secret, and act as any user")
        }
        let secret = text.reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed()
        guard secret.count >= 32, !secret.starts(with: "-----BEGIN".utf8), secret.first != UInt8(ascii: "{") else {
            throw Failure(
                .usage,
                message: "--token-secret-file must name a file with a secret of 32 bytes or more, not \(path). "
                    + "Public keys are for --token-keys.")
        }
        return Array(secret)
    }

    private static func tell(_ outcome: TokenKeys.Outcome, _ logger: Logger) {
        switch outcome {
        case .changed(let count): logger.notice("token keys read", metadata: ["count": "\(count)"])
        case .failed(let reason):
            logger.warning(
                "the token keys cannot be renewed: the old ones stay in use", metadata: ["reason": "\(reason)"])
        }
    }
}
