internal import CLinux
internal import Hashing
public import Linux
public import Media
public import RenderHost
public import ThumbnailCache

/// A source that is opened once and from then on read by descriptor, never by path.
public struct SourceFile: Sendable {
    /// The name that the person gave; for messages, and for the extension that some document types need.
    public let name: String
    /// The file, or a copy of it that nobody can change; open for reading only.
    public let descriptor: Descriptor
    /// The file that was opened, if `descriptor` is a copy.
    private let original: Descriptor?
    /// The file's status when it was opened.
    public let status: FileStatus
    /// When it was opened, by the clock that timestamps files: nothing of it was read before.
    package let opened: Int64
    /// The source itself if it is remote: its bytes are fetched into `descriptor` on demand.
    public let ranged: RangedSource?
    /// The cache's key for such a source.
    public let rangedKey: SourceKey?

    private init(name: String, descriptor: Descriptor) throws(Failure) {
        opened = Time.wallAsFilesSeeIt
        do throws(SystemError) {
            status = try descriptor.status()
        } catch {
            throw Failure(.sourceMissing, message: "File cannot be read.", detail: "\(error)")
        }
        guard status.isRegularFile else {
            let what = status.isDirectory ? "a folder" : "not a regular file"
            throw Failure(.sourceMissing, message: "File cannot be read: it is \(what). Name a file.")
        }
        self.name = name
        self.descriptor = try Self.forReading(descriptor)
        original = nil
        (ranged, rangedKey) = (nil, nil)
    }

    /// A remote source.
    ///
    /// - Parameter key: its digest, if the content is verified against it as it arrives; otherwise a key of the version
    ///   that its server states (`StatKey.init(ofAddress:version:byteCount:)`).
    public init(name: String, ranged: RangedSource, key: SourceKey) throws(Failure) {
        opened = Time.wallAsFilesSeeIt
        self.name = name
        descriptor = ranged.file
        original = nil
        self.ranged = ranged
        rangedKey = key
        do throws(SystemError) {
            status = try descriptor.status()
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// - Parameter copy: contains the bytes of `source`.
    init(_ source: SourceFile, copiedTo copy: Descriptor) {
        (name, status, opened) = (source.name, source.status, source.opened)
        descriptor = copy
        original = source.original ?? source.descriptor
        (ranged, rangedKey) = (source.ranged, source.rangedKey)
    }

    /// Children get this descriptor, so a writable one is never kept.
    private static func forReading(_ descriptor: Descriptor) throws(Failure) -> Descriptor {
        if descriptor.isReadOnly || MemoryFile.isUnchangeable(descriptor) { return descriptor }
        do throws(SystemError) {
            return try descriptor.reopenedForReading()
        } catch {
            throw Failure(
                .sourceMissing, message: "File cannot be opened read-only: \(error.reason).", detail: "\(error)"
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
                throw Failure(.sourceMissing, message: "File cannot be read: permission denied. Check its permissions.")
            // A socket, or a FIFO or device without its other end.
            case ENXIO, ENODEV:
                throw Failure(.sourceMissing, message: "File cannot be read: it is not a regular file. Name a file.")
            default: throw Failure(.sourceMissing, message: "File cannot be read: \(error.reason).")
            }
        }
        return try SourceFile(name: path.readable, descriptor: descriptor)
    }

    /// A file that the caller has opened for reading.
    ///
    /// - Throws: `sourceMissing` if it is not a regular file.
    public static func opened(_ descriptor: Descriptor, name: String) throws(Failure) -> SourceFile {
        try SourceFile(name: name, descriptor: descriptor)
    }

    /// A source with its bytes in memory, where nobody can change them.
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

    /// Whether the file is unchanged since it was opened. All bytes of a remote source belong to one version, or do not
    /// arrive.
    public var isUnchanged: Bool {
        if let ranged { return ranged.failure == nil }
        return (try? file.status())?.isSameVersion(as: status) == true
    }

    /// Up to `count` bytes at `offset`; fewer only at the end.
    ///
    /// - Throws: if they cannot be read, or do not arrive.
    public func bytes(at offset: Int64, count: Int) throws(Failure) -> [UInt8] {
        try ranged?.require(offset..<offset + Int64(count))
        do throws(SystemError) {
            return try descriptor.bytes(at: offset, count: count)
        } catch {
            throw Failure(.sourceMissing, message: "File cannot be read: \(error.reason).", detail: "\(error)")
        }
    }

    /// The digest of all bytes, which are fetched for it if they are remote; it may already be known.
    ///
    /// - Throws: `cancelled`; another failure if the bytes cannot be read, or do not arrive.
    public func digest(isCancelled: () -> Bool) throws(Failure) -> Digest {
        if case .digest(let known) = rangedKey { return known }
        try ranged?.require(0..<byteCount)
        return try SHA256.digest(of: descriptor, isCancelled: isCancelled)
    }

    /// Whether the bytes are read from a copy.
    public var isCopy: Bool { original != nil }

    /// The file that was opened.
    package var file: Descriptor { original ?? descriptor }

    /// The same open file in its present state.
    package func reopened() throws(Failure) -> SourceFile {
        ranged == nil ? try SourceFile(name: name, descriptor: file) : self
    }

    /// The file's size when it was opened.
    public var byteCount: Int64 { status.byteCount }
}
