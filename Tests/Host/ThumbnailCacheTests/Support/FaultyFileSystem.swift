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

    func makeRoot(_ root: CacheRoot) throws(SystemError) -> Bool {
        try check("mkdir")
        return try inner.makeRoot(root)
    }

    func read(_ place: String, in root: CacheRoot, limit: Int) throws(SystemError) -> FileContents {
        try check("read")
        return try inner.read(place, in: root, limit: limit)
    }

    func create(_ place: String, in root: CacheRoot, _ bytes: [UInt8]) throws(SystemError) {
        if fails {
            try? inner.create(place, in: root, Array(bytes.prefix(bytes.count / 2)))
            throw SystemError("write", number: number)
        }
        try inner.create(place, in: root, bytes)
    }

    func append(_ bytes: [UInt8], to place: String, in root: CacheRoot) throws(SystemError) {
        try check("append")
        try inner.append(bytes, to: place, in: root)
    }

    func rename(_ place: String, in root: CacheRoot, to newPlace: String) throws(SystemError) {
        try check("rename")
        try inner.rename(place, in: root, to: newPlace)
    }

    func remove(_ place: String, in root: CacheRoot) throws(SystemError) {
        try check("unlink")
        try inner.remove(place, in: root)
    }

    func makeFolder(_ place: String, in root: CacheRoot, isPrivate: Bool) throws(SystemError) {
        try check("mkdir")
        try inner.makeFolder(place, in: root, isPrivate: isPrivate)
    }

    func removeFolder(_ place: String, in root: CacheRoot) throws(SystemError) {
        try check("rmdir")
        try inner.removeFolder(place, in: root)
    }

    func contents(of place: String, in root: CacheRoot) throws(SystemError) -> [FolderItem] {
        try check("opendir")
        return try inner.contents(of: place, in: root)
    }

    func status(of place: String, in root: CacheRoot) throws(SystemError) -> FileStatus {
        try check("stat")
        return try inner.status(of: place, in: root)
    }

    func touch(_ place: String, in root: CacheRoot, accessed: Int64) throws(SystemError) {
        try check("utimensat")
        try inner.touch(place, in: root, accessed: accessed)
    }
}
