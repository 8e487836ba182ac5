import Console
import HTTPServing
import Linux
import Logging
import Mail
import Media
import People

/// Sends mail to the owners of accounts, through a mail server.
struct AccountLetters: AccountPost {
    private let server: MailServer
    private let sender: MailSender
    private let address: String
    private let logger: Logger
    /// One thread suffices: the server takes a mail within a second, and mails are few.
    private let work = BlockingPool(threadCount: 1, queueLength: 1000)

    /// The pause before each attempt.
    private static let pauses: [Duration] = [.zero, .seconds(5), .seconds(60), .seconds(600)]

    /// Mail through the server of the settings; `nil` if they name none.
    ///
    /// - Throws: `usage` if a setting is wrong or missing, `unavailable` if the password cannot be read.
    init?(_ settings: ServiceSettings, _ logger: Logger) throws(Failure) {
        guard let serverAddress = settings.mailServer else { return nil }
        let password = try settings.mailPasswordPath.map { path throws(Failure) in
            String(decoding: try SmallFile.bytes(of: path).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        guard let server = MailServer(serverAddress, password: password) else {
            throw Failure(
                .usage,
                message: "--mail-server must be smtp://HOST:PORT or smtps://HOST:PORT, with USER@ before the host if "
                    + "--mail-password-file contains the user's password.")
        }
        guard let sender = MailSender(settings.mailFrom) else {
            throw Failure(
                .usage, message: "--mail-server needs --mail-from: an address, or “Compass <noreply@example.org>”.")
        }
        // Never taken from a request, because anybody can invent a request's host.
        let isAddress = ["http://", "https://"].contains { settings.publicAddress.hasPrefix($0) }
        guard isAddress, !settings.publicAddress.contains(where: \.isWhitespace) else {
            throw Failure(
                .usage,
                message: "--mail-server needs --public-address, for links in emails: https://documents.example.org.")
        }
        (self.server, self.sender, address, self.logger) = (server, sender, settings.publicAddress, logger)
    }

    /// Sends the mail, and retries for eleven minutes if the server does not take it. A mail that waits when the
    /// service ends is lost: the person asks for another one.
    func send(_ letter: AccountLetter, to recipient: MailAddress) {
        let message = message(letter, to: recipient)
        let (server, sender, work, logger) = (server, sender, work, logger)
        Task {
            for (number, pause) in Self.pauses.enumerated() {
                try? await Task.sleep(for: pause)
                do {
                    try await work.run { try server.send(message, from: sender, at: Time.wall / 1_000_000_000) }
                    return
                } catch {
                    let isLast = number == Self.pauses.count - 1
                    logger.log(
                        level: isLast ? .error : .warning,
                        isLast ? "email not sent, giving up" : "email not sent, will retry",
                        metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    private func message(_ letter: AccountLetter, to recipient: MailAddress) -> MailMessage {
        let (subject, body) =
            switch letter {
            case .confirmation(let token):
                (
                    "Confirm your email",
                    """
                    Welcome to Compass.

                    Open this link within a week to confirm that this address is yours:

                    \(address)/confirm#\(token)

                    If you did not sign up, ignore this email. The account cannot be used without this link.
                    """
                )
            case .alreadyRegistered:
                (
                    "You already have an account",
                    """
                    Someone, hopefully you, tried to sign up for Compass with this address. It already has an account. Sign in at:

                    \(address)/signin

                    If you have forgotten your password, choose “Forgot password?” there.
                    """
                )
            case .reset(let token):
                (
                    "Set a new password",
                    """
                    Someone, hopefully you, asked to reset the password for \(recipient).

                    Open this link within an hour to choose a new password:

                    \(address)/reset#\(token)

                    If this was not you, ignore this email. Your password stays the same.
                    """
                )
            case .invitation(let token, let athlete):
                (
                    "Look after documents for \(athlete)",
                    """
                    \(athlete) has invited you to look after their documents in Compass: videos, transcripts, résumés
                    and letters.

                    Open this link within a week. You need your own account:

                    \(address)/invitation#\(token)

                    If you do not know \(athlete), ignore this email.
                    """
                )
            case .removed:
                (
                    "Your account was deleted",
                    """
                    The account \(recipient) was deleted, with all its documents.

                    If this was not you, contact whoever runs the service at once. A backup may still have your documents.
                    """
                )
            case .passwordChanged:
                (
                    "Your password was changed",
                    """
                    The password for \(recipient) was changed, and all other sessions were ended.

                    If this was not you, someone else may be able to read your email. Change your email password first. Then
                    set a new password here with “Forgot password?”:

                    \(address)/signin
                    """
                )
            case .connected(let provider):
                (
                    "\(provider) can now open your account",
                    """
                    \(provider) was connected to the account \(recipient). Anyone who signs in there as you can open it.

                    If this was not you, someone else may be using your account. Sign in, disconnect \(provider), and choose
                    another password:

                    \(address)/account
                    """
                )
            }
        return MailMessage(to: recipient.text, subject: subject, body: body + "\n")
    }
}
