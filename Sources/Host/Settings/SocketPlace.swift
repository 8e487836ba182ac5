/// Where `thumbd` listens for `compass thumb`, and `compass thumb` looks for `thumbd`.
public enum SocketPlace: Hashable, Sendable {
    /// `thumbd` does not listen, and `compass thumb` does not look.
    case nowhere
    /// Both programs derive the path from the cache's folder and the user.
    case automatic
    /// An absolute path.
    case path(String)
}
