internal import People

/// Why a person could not sign in with a provider, or connect it: the screens have a text for each word.
public enum SignInFault: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no such provider in the settings.
    case unknown
    /// The person has declined at the provider.
    case cancelled
    /// The begun sign-in has expired, was finished before, or was begun in another browser.
    case ended
    /// The provider's answer is not valid, or it refuses this service.
    case refused
    /// The provider does not answer.
    case away
    /// Too many sign-ins are begun at once.
    case busy
    /// The provider gives no address.
    case address
    /// The provider does not confirm that the address is the person's.
    case unproven
    /// An account has the address. The address alone does not open it.
    case taken
    /// The identity at the provider belongs to another account.
    case other
    /// The account is disabled, or gone.
    case closed
    /// The session in which a provider was to be connected has ended.
    case left
    /// The service cannot do it now.
    case unavailable

    init(_ error: ProviderFault) {
        self =
            switch error {
            case .away: .away
            case .declined(let word): word == "access_denied" ? .cancelled : .refused
            case .wrong: .refused
            case .busy: .busy
            }
    }

    init(_ error: AccountError) {
        self =
            switch error {
            case .taken: .taken
            case .noAddress, .badAddress: .address
            case .unprovenAddress: .unproven
            case .identityTaken: .other
            case .badCredentials, .notFound: .closed
            case .tooManyAttempts: .busy
            default: .unavailable
            }
    }
}
