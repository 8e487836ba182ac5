internal import CLinux

extension Descriptor {
    /// Whether the descriptor is open only for reading.
    public var isReadOnly: Bool { clinux_fcntl(number, F_GETFL, 0) & O_ACCMODE == O_RDONLY }

    /// A new read-only descriptor of the same file, opened through `/proc`.
    public func reopenedForReading() throws(SystemError) -> Descriptor {
        try .open("/proc/self/fd/\(number)", O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// An unnamed file in a folder, for reading and writing: only processes of this user can open it.
    public static func unnamed(in folder: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("open \(folder)") { clinux_open_unnamed(folder) })
    }

    /// Writes another file's first `byteCount` bytes at the position, or fewer if it is shorter. Its position does not
    /// move.
    ///
    /// - Parameter isCancelled: called before each step of 4 MiB; `true` makes the result `false`.
    public func append(
        _ file: Descriptor, byteCount: Int64, isCancelled: () -> Bool = { false }
    ) throws(SystemError) -> Bool {
        var offset: off_t = 0
        while offset < byteCount {
            if isCancelled() { return false }
            let count = Int(min(Int64(Self.stepByteCount), byteCount - Int64(offset)))
            let sent = sendfile(number, file.number, &offset, count)
            if sent == 0 { break }
            if sent < 0 {
                let error = SystemError.last("sendfile")
                // Some file systems do not support the call, such as the kernel's own.
                guard error.number == EINVAL || error.number == ENOSYS else { throw error }
                let bytes = try file.bytes(at: Int64(offset), count: min(count, 256 << 10))
                if bytes.isEmpty { break }
                try write(bytes)
                offset += off_t(bytes.count)
            }
        }
        return true
    }

    private static let stepByteCount = 4 << 20
}
