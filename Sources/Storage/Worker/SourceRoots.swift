internal import CLinux
internal import Linux
public import Media
public import SourceFiles

/// The folders below which jobs' sources must be.
///
/// A path is opened below its root: neither `..` nor a link leads outside, not even a link that is put there meanwhile.
/// Links that stay below the root are followed if the kernel has `openat2` (Linux 5.6); otherwise no link is followed.
public struct SourceRoots: Sendable {
    /// A root with the names that lead to it.
    private struct Root: Sendable {
        let path: String
        /// The components with which a job's path may begin: the root as it was named, and with its links resolved.
        let prefixes: [[Substring]]
    }

    private let roots: [Root]
    private let maxByteCount: Int64
    private let usesOpenat2: Bool

    /// Checks the roots and resolves their links.
    ///
    /// - Parameters:
    ///   - paths: absolute paths of existing folders.
    ///   - maxByteCount: the size beyond which a source is refused.
    /// - Throws: `usage` for a root that is not a folder.
    public init(_ paths: [String], maxByteCount: UInt64) throws(Failure) {
        try self.init(paths, maxByteCount: maxByteCount, usesOpenat2: true)
    }

    /// The same for a test of kernels without `openat2`.
    ///
    /// - Parameter usesOpenat2: `false` opens component by component.
    package init(_ paths: [String], maxByteCount: UInt64, usesOpenat2: Bool) throws(Failure) {
        var roots: [Root] = []
        for path in paths { roots.append(try Self.root(path)) }
        self.roots = roots
        self.maxByteCount = Int64(clamping: maxByteCount)
        self.usesOpenat2 = usesOpenat2
    }

    /// Opens a job's source.
    ///
    /// - Throws: `sourceMissing` if the file is missing, outside the roots, not regular or not readable; `tooLarge`;
    ///   `unavailable` for a fault of the disk or of this process, after which a retry may succeed.
    public func open(_ path: String) throws(Failure) -> SourceFile {
        guard PathBytes.isAbsolute(path) else {
            throw Failure(.sourceMissing, message: "A job's path must be absolute. Queue the file again.")
        }
        guard let (root, rest) = place(of: path) else { throw Self.outside }
        let descriptor: Descriptor
        do throws(SystemError) {
            descriptor = try open(rest, below: try folder(root))
        } catch {
            throw Self.failure(of: error)
        }
        let source = try SourceFile.opened(descriptor, name: path)
        guard source.byteCount <= maxByteCount else {
            throw Failure(
                .tooLarge, message: "File is over the limit of \(maxByteCount) bytes (setting max-source).",
                detail: "\(source.byteCount) bytes")
        }
        return source
    }

    /// The root with the longest name that the path begins with, and the rest of the path.
    private func place(of path: String) -> (root: Root, rest: [Substring])? {
        let components = Self.components(path)
        var best: (root: Root, rest: [Substring], depth: Int)?
        for root in roots {
            for prefix in root.prefixes
            where components.starts(with: prefix, by: { PathBytes.areEqual($0, $1) })
                && prefix.count >= best?.depth ?? 0
            {
                best = (root, Array(components.dropFirst(prefix.count)), prefix.count)
            }
        }
        return best.map { ($0.root, $0.rest) }
    }

    /// Opens the root again for each source: it may have been mounted or replaced meanwhile.
    private func folder(_ root: Root) throws(SystemError) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor.open(root.path, O_RDONLY | O_DIRECTORY)
        } catch {
            throw SystemError(Self.rootCall, number: error.number)
        }
    }

    private func open(_ components: [Substring], below folder: Descriptor) throws(SystemError) -> Descriptor {
        if usesOpenat2 {
            let path = components.isEmpty ? "." : components.joined(separator: "/")
            do throws(SystemError) {
                return Descriptor(
                    owning: try checking("openat2") { clinux_openat_beneath(folder.number, path, Self.flags) })
            } catch {
                // The kernel lacks the call, or a system call filter refuses it.
                guard error.number == ENOSYS || error.number == EPERM else { throw error }
            }
        }
        return try openStepwise(components, below: folder)
    }

    private func openStepwise(_ components: [Substring], below root: Descriptor) throws(SystemError) -> Descriptor {
        var folder = root
        for component in components.dropLast() {
            if PathBytes.areEqual(component, "..") { throw SystemError("openat", number: EXDEV) }
            folder = try open(component, in: folder, O_RDONLY | O_DIRECTORY)
        }
        guard let last = components.last else { return folder }
        if PathBytes.areEqual(last, "..") { throw SystemError("openat", number: EXDEV) }
        return try open(last, in: folder, Self.flags)
    }

    private func open(_ name: Substring, in folder: Descriptor, _ flags: Int32) throws(SystemError) -> Descriptor {
        Descriptor(
            owning: try checking("openat") {
                clinux_openat(folder.number, String(name), flags | O_NOFOLLOW | O_CLOEXEC, 0)
            })
    }

    /// Without `O_NONBLOCK`, opening a FIFO would wait for its other end. `SourceFile` rejects all but regular files by
    /// `fstat`.
    private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY

    private static let rootCall = "open the root"

    private static func components(_ path: String) -> [Substring] {
        PathBytes.components(of: path).filter { !PathBytes.areEqual($0, ".") }
    }

    private static func root(_ path: String) throws(Failure) -> Root {
        guard PathBytes.isAbsolute(path), let resolved = realpath(path, nil) else {
            throw Failure(.usage, message: "The root \(path) cannot be opened as a folder (setting roots).")
        }
        defer { free(resolved) }
        let real = String(cString: resolved)
        guard let status = try? FileStatus.of(path: real), status.isDirectory else {
            throw Failure(.usage, message: "The root \(path) is not a folder (setting roots).")
        }
        return Root(path: path, prefixes: [components(path), components(real)])
    }
}

extension SourceRoots {
    private static var outside: Failure {
        Failure(
            .sourceMissing, message: "File is outside the folders that may be read (setting roots).",
            detail: "outside the roots")
    }

    private static func failure(of error: SystemError) -> Failure {
        if error.call == rootCall {
            return Failure(
                .unavailable, message: "The file's folder cannot be opened.", detail: "\(error)")
        }
        let detail = "\(error)"
        switch error.number {
        case EXDEV: return outside
        case ENOENT, ENOTDIR: return Failure(.sourceMissing, message: "File not found.", detail: detail)
        case EACCES, EPERM:
            return Failure(.sourceMissing, message: "File cannot be read: permission denied.", detail: detail)
        case ELOOP: return Failure(.sourceMissing, message: "File cannot be read: it is a link.", detail: detail)
        case ENAMETOOLONG:
            return Failure(.sourceMissing, message: "File not found: its name is too long.", detail: detail)
        // A socket, or a device without its other end.
        case ENXIO, ENODEV:
            return Failure(.sourceMissing, message: "File cannot be read: it is not a regular file.", detail: detail)
        default: return Failure(.unavailable, message: "File cannot be read: \(error.reason).", detail: detail)
        }
    }
}
