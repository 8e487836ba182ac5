/// Whether a thing is done that not every machine can do.
public enum Preference: Hashable, Sendable {
    case no
    /// Where it can be done.
    case auto
    /// Or it is a failure.
    case yes
}
