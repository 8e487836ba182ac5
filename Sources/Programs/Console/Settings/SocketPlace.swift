/// Where `thumbd` listens for `compass thumb`, and where `compass thumb` looks for it.
public enum SocketPlace: Hashable, Sendable {
    /// `thumbd` does not listen, and `compass thumb` does not look.
    case nowhere
    /// Both programs derive the path from the cache's folder and the user.
    case automatic
    /// An absolute path.
    case path(String)

    /// The paths, most likely first.
    ///
    /// - Parameter derived: the paths that both programs derive.
    public func paths(_ derived: () -> [String]) -> [String] {
        switch self {
        case .nowhere: []
        case .automatic: derived()
        case .path(let path): [path]
        }
    }
}
