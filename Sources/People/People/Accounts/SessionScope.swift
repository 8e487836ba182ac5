public import Media

/// Which sessions of a person end.
public enum SessionScope: Hashable, Sendable {
    /// On all of the person's devices.
    case all
    /// One alone.
    case only(ID<AccountSession>)
    /// Every one but this.
    case others(than: ID<AccountSession>)
}
