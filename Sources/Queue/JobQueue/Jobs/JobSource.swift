/// The location of a job's source.
public enum JobSource: Hashable, Sendable {
    /// A path on this machine.
    case path(String)
    /// A key in the object store.
    case object(String)

    /// The path, or the key.
    public var location: String {
        switch self {
        case .path(let path): path
        case .object(let key): key
        }
    }
}
