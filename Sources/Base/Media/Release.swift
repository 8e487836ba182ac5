/// The release that this source tree belongs to.
public enum Release {
    /// The version of all programs.
    public static let version = "0.1.0"
}
