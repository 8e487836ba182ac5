import CLinux
import Linux
import Objects
import Synchronization

/// The kernel's calls, of which the n-th fails, or all from the n-th on, as after a crash; and a record of those that change
/// something.
///
/// A write that fails leaves half of its bytes.
final class FaultyObjectFiles: ObjectFiles {
    enum Fault: Hashable {
        case once(Int)
        case fromOn(Int)
    }

    /// A change that succeeded. Files and folders are told by their inodes.
    enum Change: Hashable {
        case created(UInt64, in: UInt64)
        case madeFolder(in: UInt64)
        case wrote(UInt64)
        case synced(UInt64)
        case renamed(UInt64, from: UInt64, to: UInt64)
        case removed(in: UInt64)
    }

    private struct State {
        var count = 0
        var changes: [Change] = []
        /// Of locked files, as a process has them that is being started: closing alone does not unlock.
        var copies: [Descriptor] = []
    }

    private let fault: Fault?
    private let number: Int32
    private let inner = LinuxObjectFiles()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - fault: without one, every call is the kernel's.
    ///   - number: the error's.
    init(_ fault: Fault? = nil, number: Int32 = ENOSPC) {
        self.fault = fault
        self.number = number
    }

    /// How many calls there were.
    var callCount: Int { state.withLock { $0.count } }

    /// What was changed, the first change first.
    var changes: [Change] { state.withLock { $0.changes } }

    private var fails: Bool {
        let index = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        return switch fault {
        case .once(let failing): index == failing
        case .fromOn(let failing): index >= failing
        case nil: false
        }
    }

    private func check(_ call: String) throws(SystemError) {
        if fails { throw SystemError(call, number: number) }
    }

    private func note(_ change: Change) { state.withLock { $0.changes.append(change) } }

    private func inode(_ file: Descriptor) -> UInt64 { try! file.status().inode }

    func openFolder(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openFolder(name, in: folder)
    }

    func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError) {
        try check("mkdirat")
        try inner.makeFolder(name, in: folder)
        note(.madeFolder(in: inode(folder)))
    }

    func create(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        let file = try inner.create(name, in: folder)
        note(.created(inode(file), in: inode(folder)))
        return file
    }

    func openForWriting(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openForWriting(name, in: folder)
    }

    func openForReading(_ place: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openForReading(place, in: folder)
    }

    func lock(_ file: Descriptor) throws(SystemError) {
        try check("flock")
        try inner.lock(file)
        let copy = try file.duplicate()
        state.withLock { $0.copies.append(copy) }
    }

    /// The death of a process unlocks too.
    func unlock(_ file: Descriptor) { inner.unlock(file) }

    func status(of file: Descriptor) throws(SystemError) -> FileStatus {
        try check("fstat")
        return try inner.status(of: file)
    }

    func status(of place: String, in folder: Descriptor) throws(SystemError) -> FileStatus {
        try check("fstatat")
        return try inner.status(of: place, in: folder)
    }

    func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try check("pread")
        return try inner.read(file, into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64) throws(SystemError) {
        note(.wrote(inode(file)))
        if fails {
            try? inner.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), to: file, at: offset)
            throw SystemError("pwrite", number: number)
        }
        try inner.write(bytes, to: file, at: offset)
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try check("ftruncate")
        try inner.truncate(file, to: byteCount)
        note(.wrote(inode(file)))
    }

    func startWriting(_ file: Descriptor, from offset: Int64, byteCount: Int64) throws(SystemError) {
        try check("sync_file_range")
        try inner.startWriting(file, from: offset, byteCount: byteCount)
    }

    func touch(_ file: Descriptor) throws(SystemError) {
        try check("futimens")
        try inner.touch(file)
        note(.wrote(inode(file)))
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        try check("fsync")
        try inner.sync(file)
        note(.synced(inode(file)))
    }

    func rename(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor
    ) throws(SystemError) {
        try check("renameat")
        let file = try inner.status(of: name, in: folder).inode
        try inner.rename(name, in: folder, to: newName, in: newFolder)
        note(.renamed(file, from: inode(folder), to: inode(newFolder)))
    }

    func remove(_ name: String, in folder: Descriptor) throws(SystemError) {
        try check("unlinkat")
        try inner.remove(name, in: folder)
        note(.removed(in: inode(folder)))
    }

    func contents(of folder: Descriptor) throws(SystemError) -> [FolderNames.Item] {
        try check("getdents")
        return try inner.contents(of: folder)
    }
}
