import CLinux
import Linux
import Synchronization
import ThumbnailCache

/// The kernel's file operations, of which the n-th fails, or all from the n-th on, as after a crash.
///
/// A write that fails leaves half of its bytes.
final class FaultyFileSystem: FileSystem {
    enum Fault: Hashable {
        case once(Int)
        case fromOn(Int)
    }

    private let fault: Fault?
    private let number: Int32
    private let state = Mutex(0)
    private let inner = LinuxFileSystem()
    private let scratch: ScratchFolder?
    private let interruption: (index: Int, body: @Sendable () -> Void)?

    /// - Parameters:
    ///   - fault: without one, every operation is the kernel's.
    ///   - number: the error's.
    ///   - scratch: kept for as long as this lives.
    init(_ fault: Fault? = nil, number: Int32 = ENOSPC, keeping scratch: ScratchFolder? = nil) {
        self.fault = fault
        self.scratch = scratch
        interruption = nil
        self.number = number
    }

    /// Fails nowhere; just before the n-th operation, `body` runs, as another process might.
    init(before index: Int, _ body: @escaping @Sendable () -> Void) {
        fault = nil
        number = 0
        scratch = nil
        interruption = (index, body)
    }

    /// How many operations there were.
    var operationCount: Int { state.withLock { $0 } }

    private var fails: Bool {
        let index = state.withLock { count in
            defer { count += 1 }
            return count
        }
        if let interruption, interruption.index == index { interruption.body() }
        return switch fault {
        case .once(let failing): index == failing
        case .fromOn(let failing): index >= failing
        case nil: false
        }
    }

    private func check(_ call: String) throws(SystemError) {
        if fails { throw SystemError(call, number: number) }
    }

    func read(_ path: String, limit: Int) throws(SystemError) -> FileContents {
        try check("read")
        return try inner.read(path, limit: limit)
    }

    func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        if fails {
            try? inner.create(path, Array(bytes.prefix(bytes.count / 2)))
            throw SystemError("write", number: number)
        }
        try inner.create(path, bytes)
    }

    func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try check("append")
        try inner.append(bytes, to: path)
    }

    func rename(_ path: String, to newPath: String) throws(SystemError) {
        try check("rename")
        try inner.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(SystemError) {
        try check("unlink")
        try inner.remove(path)
    }

    func makeFolder(_ path: String, isPrivate: Bool) throws(SystemError) {
        try check("mkdir")
        try inner.makeFolder(path, isPrivate: isPrivate)
    }

    func removeFolder(_ path: String) throws(SystemError) {
        try check("rmdir")
        try inner.removeFolder(path)
    }

    func names(in path: String) throws(SystemError) -> [String] {
        try check("opendir")
        return try inner.names(in: path)
    }

    func status(of path: String) throws(SystemError) -> FileStatus {
        try check("stat")
        return try inner.status(of: path)
    }

    func touch(_ path: String, accessed: Int64) throws(SystemError) {
        try check("utimensat")
        try inner.touch(path, accessed: accessed)
    }
}
