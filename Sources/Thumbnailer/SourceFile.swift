internal import CLinux
public import Linux
public import Media

/// A source that was opened once and is read by descriptor from then on, never by path.
public struct SourceFile: Sendable {
    /// What the person called it; for messages, and for the extension that a document type asks for.
    public let name: String
    public let descriptor: Descriptor
    /// As it was when it was opened.
    public let status: FileStatus
    /// When it was opened, by the clock that stamps files: nothing of it was read before.
    let opened = Time.wallAsFilesSeeIt

    private init(name: String, descriptor: Descriptor) throws(Failure) {
        do throws(SystemError) {
            status = try descriptor.status()
        } catch {
            throw Failure(.sourceMissing, message: "File cannot be read.", detail: "\(error)")
        }
        guard status.isRegularFile else {
            let what = status.isDirectory ? "a folder" : "no regular file"
            throw Failure(.sourceMissing, message: "Not a file: it is \(what). Name a file.")
        }
        self.name = name
        self.descriptor = descriptor
    }

    /// Opens a file; a FIFO or device is refused at once, without waiting for its other end.
    ///
    /// - Throws: `sourceMissing` with the reason.
    public static func open(_ path: String) throws(Failure) -> SourceFile {
        let descriptor: Descriptor
        do throws(SystemError) {
            descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            switch error.number {
            case ENOENT, ENOTDIR: throw Failure(.sourceMissing, message: "File not found. Check the path.")
            case EACCES, EPERM:
                throw Failure(.sourceMissing, message: "File cannot be read: permission denied. Check who may read it.")
            // A socket, or a FIFO or device without its other end.
            case ENXIO, ENODEV:
                throw Failure(.sourceMissing, message: "Not a file: it is no regular file. Name a file.")
            default: throw Failure(.sourceMissing, message: "File cannot be read: \(error.reason).")
            }
        }
        return try SourceFile(name: path, descriptor: descriptor)
    }

    /// A file that was opened elsewhere, for reading.
    ///
    /// - Throws: `sourceMissing` where it is no regular file.
    public static func opened(_ descriptor: Descriptor, name: String) throws(Failure) -> SourceFile {
        try SourceFile(name: name, descriptor: descriptor)
    }

    /// The file that standard input is, or all that comes from it, copied to an unnamed temporary file.
    ///
    /// - Throws: `tooLarge` where more than `limit` bytes come.
    public static func standardInput(limit: UInt64) throws(Failure) -> SourceFile {
        let spooled: Descriptor
        do throws(SystemError) {
            spooled = try spool(limit: limit)
        } catch {
            if error.number == EFBIG {
                throw Failure(
                    .tooLarge, message: "Standard input is over the limit of \(limit) bytes (setting max-input).")
            }
            throw Failure(
                .unavailable, message: "Standard input cannot be copied: \(error.reason).", detail: "\(error)")
        }
        return try SourceFile(name: "standard input", descriptor: spooled)
    }

    /// Standard input itself where it is a file, else a copy; fails with `EFBIG` beyond the limit.
    private static func spool(limit: UInt64) throws(SystemError) -> Descriptor {
        let input = Descriptor(owning: try checking("dup") { clinux_fcntl(0, F_DUPFD_CLOEXEC, 3) })
        if try input.status().isRegularFile { return input }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let copy = Descriptor(owning: try checking("open \(folder)") { clinux_open_unnamed(folder) })
        var total: UInt64 = 0
        var part = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try checking("read") { read(input.number, &part, part.count) }
            if count == 0 { return copy }
            total += UInt64(count)
            guard total <= limit else { throw SystemError("read", number: EFBIG) }
            try copy.write(Array(part[..<count]))
        }
    }

    /// A source whose bytes are in memory.
    ///
    /// - Precondition: there is at least one byte.
    public static func inMemory(name: String, bytes: [UInt8]) throws(Failure) -> SourceFile {
        precondition(!bytes.isEmpty, "an empty source has no memory")
        let file: Descriptor
        do throws(SystemError) {
            file = try MemoryFile.create(name: "source", byteCount: bytes.count)
            try file.write(bytes)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return try SourceFile(name: name, descriptor: file)
    }

    /// Whether the file is still what it was when it was opened.
    public var isUnchanged: Bool { (try? descriptor.status())?.isSameVersion(as: status) == true }

    /// The same open file as it is now.
    func reopened() throws(Failure) -> SourceFile { try SourceFile(name: name, descriptor: descriptor) }

    public var byteCount: Int64 { status.byteCount }
}
