internal import CLinux

/// The contents of a folder.
public enum FolderNames {
    /// The names in a folder as bytes, without `.` and `..`, in no order.
    public static func bytes(in path: String) throws(SystemError) -> [[UInt8]] {
        try bytes(of: opendir(path))
    }

    /// The same for a path of any bytes.
    public static func bytes(in path: [UInt8]) throws(SystemError) -> [[UInt8]] {
        try bytes(of: opendir(terminated(path)))
    }

    /// The same for an open folder; its position does not move.
    public static func bytes(in folder: Descriptor) throws(SystemError) -> [[UInt8]] {
        let copy = try checking("openat") { clinux_openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw SystemError.last("fdopendir")
        }
        return try bytes(of: stream)
    }

    private static func bytes(of stream: OpaquePointer?) throws(SystemError) -> [[UInt8]] {
        guard let folder = stream else { throw SystemError.last("opendir") }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
        }
        return names
    }

    /// The same as text; U+FFFD replaces bytes that are not valid UTF-8.
    public static func texts(in path: String) throws(SystemError) -> [String] {
        try bytes(in: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
