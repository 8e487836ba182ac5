internal import CLinux

/// The contents of a folder.
public enum FolderNames {
    /// The names in a folder as bytes, without `.` and `..`, in no order.
    public static func bytes(in path: String) throws(SystemError) -> [[UInt8]] {
        try items(of: opendir(path)).map(\.name)
    }

    /// The same for a path of any bytes.
    public static func bytes(in path: [UInt8]) throws(SystemError) -> [[UInt8]] {
        try items(of: opendir(terminated(path))).map(\.name)
    }

    /// The same for an open folder; its position does not move.
    public static func bytes(in folder: Descriptor) throws(SystemError) -> [[UInt8]] {
        try items(of: stream(folder)).map(\.name)
    }

    /// An item's kind, according to the folder's list.
    public enum Kind: Sendable {
        case file
        case folder
        /// A link, a socket and the like.
        case other
        /// The file system does not list the kind: query the status.
        case unknown

        /// The kind according to a status.
        public init(_ status: FileStatus) {
            self = status.isRegularFile ? .file : status.isDirectory ? .folder : .other
        }

        fileprivate init(type: UInt8) {
            switch Int32(type) {
            case Int32(DT_REG): self = .file
            case Int32(DT_DIR): self = .folder
            case Int32(DT_UNKNOWN): self = .unknown
            default: self = .other
            }
        }
    }

    /// An item in the folder's list.
    public struct Item: Sendable {
        /// The name's bytes.
        public let name: [UInt8]
        /// The kind of the item; a link is not followed.
        public let kind: Kind
    }

    /// The names in an open folder with their kinds, without `.` and `..`, in no order; its position does not move.
    public static func items(in folder: Descriptor) throws(SystemError) -> [Item] {
        try items(of: stream(folder))
    }

    private static func stream(_ folder: Descriptor) throws(SystemError) -> OpaquePointer {
        let copy = try checking("openat") { clinux_openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw SystemError.last("fdopendir")
        }
        return stream
    }

    private static func items(of stream: OpaquePointer?) throws(SystemError) -> [Item] {
        guard let folder = stream else { throw SystemError.last("opendir") }
        defer { closedir(folder) }
        var items: [Item] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [UInt8(ascii: ".")], name != Array("..".utf8) {
                items.append(Item(name: name, kind: Kind(type: entry.pointee.d_type)))
            }
        }
        return items
    }

    /// The names as text; U+FFFD replaces bytes that are not valid UTF-8.
    public static func texts(in path: String) throws(SystemError) -> [String] {
        try bytes(in: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
