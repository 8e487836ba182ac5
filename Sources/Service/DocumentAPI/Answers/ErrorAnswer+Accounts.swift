internal import Accounts
internal import HTTPTypes

/// What people are told of errors about accounts.
extension ErrorAnswer {
    init(_ error: AccountError) {
        switch error {
        case .badAddress:
            self.init(.badRequest, "invalid", "Enter an email address such as name@example.org", field: "email")
        case .badPassword(.tooShort(let count)):
            self.init(.badRequest, "invalid", "Password must be at least \(count) characters", field: "password")
        case .badPassword(let fault): self.init(.badRequest, "invalid", fault.message, field: "password")
        case .samePassword:
            self.init(.badRequest, "invalid", "This is your password already", field: "password")
        case .taken: self.init(.conflict, "conflict", "This email is already registered", field: "email")
        case .badCredentials: self.init(.badRequest, "bad_credentials", "Email or password is wrong")
        case .notConfirmed:
            self.init(.forbidden, "not_confirmed", "Confirm your email first. We have sent you a link.")
        case .unknownLink:
            self.init(.gone, "link_ended", "This link was used already, or is too old. Ask for a new one.")
        case .noMail:
            self.init(.notFound, "not_found", "This service sends no mail. Ask whoever runs it for a new password.")
        case .tooManyAttempts(let wait):
            let seconds = Int(wait.components.seconds) + 1
            let time = seconds == 1 ? "a second" : "\(seconds) seconds"
            self.init(
                .tooManyRequests, "too_many", "Too many attempts. Try again in \(time).", retryAfter: seconds)
        case .unknownToken, .reusedToken, .notFound:
            self.init(.unauthorized, "unauthenticated", "Sign in to continue.")
        case .unavailable:
            self.init(.serviceUnavailable, "unavailable", "Server error. Please try again.", retryAfter: 1)
        }
    }
}
