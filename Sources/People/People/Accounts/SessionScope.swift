public import Media

/// The sessions of a person that end.
public enum SessionScope: Hashable, Sendable {
    /// On all of the person's devices.
    case all
    /// This session, and no other.
    case only(ID<AccountSession>)
    /// All but this one.
    case others(than: ID<AccountSession>)
}
