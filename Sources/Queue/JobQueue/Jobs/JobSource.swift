/// The location of a job's source.
public enum JobSource: Hashable, Sendable {
    /// A path on this machine.
    case path(String)
    /// A key in the object store.
    case object(String)
    /// An address elsewhere, such as `s3://bucket/key`.
    case address(String)

    /// What is not in the object store: a path, or an address, which has a scheme.
    public static func outside(_ location: String) -> JobSource {
        location.prefix(while: { $0 != "/" }).last == ":" && location.contains("://")
            ? .address(location) : .path(location)
    }

    /// The path, the key or the address.
    public var location: String {
        switch self {
        case .path(let path): path
        case .object(let key): key
        case .address(let address): address
        }
    }
}
