/// Why a provider's word does not count. The text is for the log; it holds no code, token or secret.
public enum ProviderFault: Error, Hashable, Sendable {
    /// The provider does not answer, or not in time, or that it cannot now.
    case away(String)
    /// The person, or the provider, does not want the sign-in: the word that the provider says.
    case declined(String)
    /// What the provider says is wrong, or not meant for this sign-in.
    case wrong(String)
    /// As many requests wait for providers as may.
    case busy
}
