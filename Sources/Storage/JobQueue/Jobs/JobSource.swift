/// The location of a job's source.
public enum JobSource: Hashable, Sendable {
    /// A path on this machine.
    case path(String)
    /// A key in the object store.
    case object(String)
    /// An address elsewhere, such as `s3://bucket/key`.
    case address(String)

    /// A source outside the object store: a path, or an address, which has a scheme.
    public static func outside(_ location: String) -> JobSource {
        // By bytes, as the kernel reads a path.
        let scheme = location.utf8.prefix { $0 != UInt8(ascii: "/") }
        let isAddress =
            scheme.last == UInt8(ascii: ":") && location.utf8.dropFirst(scheme.count).starts(with: "//".utf8)
        return isAddress ? .address(location) : .path(location)
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
