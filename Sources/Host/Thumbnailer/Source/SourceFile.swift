internal import CLinux
public import Linux
public import Media

/// A source that was opened once and is read by descriptor from then on, never by path.
public struct SourceFile: Sendable {
    /// The name that the person gave; for messages, and for the extension that a document type asks for.
    public let name: String
    /// The file, or a copy of it that nobody can change; open for reading alone.
    public let descriptor: Descriptor
    /// The file that was opened, where `descriptor` is a copy.
    private let original: Descriptor?
    /// The file as it was when it was opened.
    public let status: FileStatus
    /// When it was opened, by the clock that stamps files: nothing of it was read before.
    let opened: Int64

    private init(name: String, descriptor: Descriptor) throws(Failure) {
        opened = Time.wallAsFilesSeeIt
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
        self.descriptor = try Self.forReading(descriptor)
        original = nil
    }

    /// - Parameter copy: holds the bytes of `source`.
    init(_ source: SourceFile, copiedTo copy: Descriptor) {
        (name, status, opened) = (source.name, source.status, source.opened)
        descriptor = copy
        original = source.original ?? source.descriptor
    }

    /// Children get the descriptor as it is, so none that can write is kept.
    private static func forReading(_ descriptor: Descriptor) throws(Failure) -> Descriptor {
        if descriptor.isReadOnly || MemoryFile.isUnchangeable(descriptor) { return descriptor }
        do throws(SystemError) {
            return try descriptor.reopenedForReading()
        } catch {
            throw Failure(
                .sourceMissing, message: "File cannot be opened for reading alone: \(error.reason).", detail: "\(error)"
            )
        }
    }

    /// Opens a file; a FIFO or device is refused at once, without waiting for its other end.
    ///
    /// - Throws: `sourceMissing` with the reason.
    public static func open(_ path: String) throws(Failure) -> SourceFile { try open(FilePath(path)) }

    /// Opens a file whose path need not be UTF-8.
    ///
    /// - Throws: `sourceMissing` with the reason.
    public static func open(_ path: FilePath) throws(Failure) -> SourceFile {
        let descriptor: Descriptor
        do throws(SystemError) {
            descriptor = try Descriptor.open(path: path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY)
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
        return try SourceFile(name: path.readable, descriptor: descriptor)
    }

    /// A file that was opened elsewhere, for reading.
    ///
    /// - Throws: `sourceMissing` where it is no regular file.
    public static func opened(_ descriptor: Descriptor, name: String) throws(Failure) -> SourceFile {
        try SourceFile(name: name, descriptor: descriptor)
    }

    /// A source whose bytes are in memory, where nobody can change them.
    ///
    /// - Precondition: there is at least one byte.
    public static func inMemory(name: String, bytes: [UInt8]) throws(Failure) -> SourceFile {
        precondition(!bytes.isEmpty, "an empty source has no memory")
        let file: Descriptor
        do throws(SystemError) {
            file = try MemoryFile.create(name: "source", byteCount: bytes.count)
            try file.write(bytes)
            guard MemoryFile.sealContent(of: file) else { throw SystemError.last("fcntl(F_ADD_SEALS)") }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return try SourceFile(name: name, descriptor: file)
    }

    /// Whether the file is still what it was when it was opened.
    public var isUnchanged: Bool { (try? file.status())?.isSameVersion(as: status) == true }

    /// Whether it is read from a copy.
    public var isCopy: Bool { original != nil }

    /// The file that was opened.
    var file: Descriptor { original ?? descriptor }

    /// The same open file as it is now.
    func reopened() throws(Failure) -> SourceFile { try SourceFile(name: name, descriptor: file) }

    /// The file's size when it was opened.
    public var byteCount: Int64 { status.byteCount }
}
