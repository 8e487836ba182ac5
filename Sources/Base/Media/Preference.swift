/// The use of a feature that not every machine supports.
public enum Preference: Hashable, Sendable {
    case no
    /// The feature is used if the machine supports it.
    case auto
    /// A machine without the feature is a failure.
    case yes
}
