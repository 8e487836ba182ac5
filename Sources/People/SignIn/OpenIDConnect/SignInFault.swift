internal import People

/// Why somebody could not sign in by a provider, or connect it: the screens have a text for each word.
public enum SignInFault: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no such provider in the settings.
    case unknown
    /// The person has not agreed at the provider.
    case cancelled
    /// What was begun is over, was ended before, or was begun in another browser.
    case ended
    /// The provider says something that cannot be believed, or refuses this service.
    case refused
    /// The provider does not answer.
    case away
    /// Too much is begun at once.
    case busy
    /// The provider tells no address.
    case address
    /// The provider does not say that the address is the person's.
    case unproven
    /// An account has the address. It is not opened by the address alone.
    case taken
    /// At the provider it is somebody who opens another account.
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
