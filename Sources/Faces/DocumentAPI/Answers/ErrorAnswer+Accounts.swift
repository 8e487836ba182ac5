internal import HTTPTypes
internal import People
internal import SignIn

/// The answers to errors about accounts.
extension ErrorAnswer {
    init(_ error: AccountError) {
        switch error {
        case .badAddress:
            self.init(.badRequest, "invalid", "Enter an email address such as name@example.org", field: "email")
        case .badPassword(.tooShort(let count)):
            self.init(.badRequest, "invalid", "Password must be at least \(count) characters", field: "password")
        case .badPassword(let fault): self.init(.badRequest, "invalid", fault.message, field: "password")
        case .samePassword:
            self.init(.badRequest, "invalid", "This is already your password", field: "password")
        case .taken: self.init(.conflict, "conflict", "This email is already registered", field: "email")
        case .badCredentials: self.init(.badRequest, "bad_credentials", "Email or password is wrong")
        case .notConfirmed:
            self.init(.forbidden, "not_confirmed", "Confirm your email first. We have sent you a link.")
        case .unknownLink:
            self.init(.gone, "link_ended", "This link has already been used or has expired. Ask for a new one.")
        case .ownGuardian:
            self.init(.badRequest, "invalid", "You do not need an invitation to act for yourself", field: "email")
        case .tooManyGuardians:
            self.init(
                .conflict, "conflict",
                "At most \(Guardianship.mostOfPerson) people can act for you. Remove one of them first.",
                field: "email")
        case .tooManyAthletes:
            self.init(
                .conflict, "conflict",
                "You can act for at most \(Guardianship.mostOfGuardian) people. Stop acting for one of them first.")
        case .noMail:
            self.init(.notFound, "not_found", "This service sends no email. Ask whoever runs it for a new password.")
        case .tooManyAttempts(let wait):
            let seconds = Int(wait.components.seconds) + 1
            let time = seconds == 1 ? "a second" : "\(seconds) seconds"
            self.init(
                .tooManyRequests, "too_many", "Too many attempts. Try again in \(time).", retryAfter: seconds)
        case .lastWay:
            self.init(.conflict, "conflict", "This is your only way to sign in. Set a password first.")
        case .identityTaken, .noAddress, .unprovenAddress:
            self.init(.conflict, "conflict", "This account at the provider cannot be used.")
        case .unknownToken, .reusedToken, .beingRemoved, .notFound:
            self.init(.unauthorized, "unauthenticated", "Sign in to continue.")
        case .unavailable:
            self.init(.serviceUnavailable, "unavailable", "Server error. Please try again.", retryAfter: 1)
        }
    }

    /// The answer if a person could not be sent to a provider; the screens report errors on the way back.
    init(_ fault: SignInFault) {
        switch fault {
        case .unknown: self.init(.notFound, "not_found", "Nobody signs in there any more.")
        case .busy:
            self.init(.tooManyRequests, "too_many", "Too many attempts. Try again in a minute.", retryAfter: 60)
        default:
            self.init(
                .serviceUnavailable, "provider_away", "The provider is not responding. Please try again.", retryAfter: 5
            )
        }
    }
}
