/// Why a provider's answer is not accepted. The text is for the log; it has no code, token or secret.
public enum ProviderFault: Error, Hashable, Sendable {
    /// The provider does not answer, answers too late, or says that it cannot now.
    case away(String)
    /// The person or the provider declines the sign-in: the provider's word for the reason.
    case declined(String)
    /// What the provider says is wrong, or not meant for this sign-in.
    case wrong(String)
    /// The limit of requests that wait for providers is reached.
    case busy
}
