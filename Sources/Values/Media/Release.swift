/// This source tree.
public enum Release {
    /// Its version, the same for all programs.
    public static let version = "0.1.0"
}
