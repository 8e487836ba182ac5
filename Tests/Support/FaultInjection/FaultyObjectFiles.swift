internal import CLinux
package import Linux
internal import Objects
internal import Synchronization

/// The kernel's calls, of which the n-th fails, or all from the n-th on, as after a crash; and a record of the calls
/// that change something.
///
/// A failing write leaves half of its bytes.
package final class FaultyObjectFiles: ObjectFiles {
    /// A change that succeeded. Files and folders are identified by their inodes.
    package enum Change: Hashable {
        case created(UInt64, in: UInt64)
        case madeFolder(in: UInt64)
        case wrote(UInt64)
        case synced(UInt64)
        case renamed(UInt64, from: UInt64, to: UInt64)
        case removed(in: UInt64)
    }

    private struct State {
        var changes: [Change] = []
        /// Copies of locked files, as in a process that is being started: closing alone does not unlock.
        var copies: [Descriptor] = []
    }

    private let plan: FaultPlan
    private let number: Int32
    private let room: (all: Int64, free: Int64)?
    private let inner = LinuxObjectFiles()
    private let state = Mutex(State())

    /// - Parameters:
    /// - plan: without faults, every call reaches the kernel.
    /// - number: the error's number.
    /// - room: the file system's size and free space in bytes; `nil` for the kernel's values.
    package init(
        _ plan: FaultPlan = FaultPlan(), number: Int32 = ENOSPC, room: (all: Int64, free: Int64)? = nil
    ) {
        self.plan = plan
        self.room = room
        self.number = number
    }

    /// The changes, first change first.
    package var changes: [Change] { state.withLock { $0.changes } }

    private func check(_ call: String) throws(SystemError) {
        if plan.isFault() { throw SystemError(call, number: number) }
    }

    private func note(_ change: Change) { state.withLock { $0.changes.append(change) } }

    private func inode(_ file: Descriptor) -> UInt64 { try! file.status().inode }

    /// Never a fault: this call changes nothing.
    package func room(around folder: Descriptor) throws(SystemError) -> (all: Int64, free: Int64) {
        if let room { return room }
        return try inner.room(around: folder)
    }

    package func openFolder(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openFolder(name, in: folder)
    }

    package func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError) {
        try check("mkdirat")
        try inner.makeFolder(name, in: folder)
        note(.madeFolder(in: inode(folder)))
    }

    package func create(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        let file = try inner.create(name, in: folder)
        note(.created(inode(file), in: inode(folder)))
        return file
    }

    package func openForWriting(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openForWriting(name, in: folder)
    }

    package func openForReading(_ place: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try check("openat")
        return try inner.openForReading(place, in: folder)
    }

    package func lock(_ file: Descriptor) throws(SystemError) {
        try check("flock")
        try inner.lock(file)
        let copy = try file.duplicate()
        state.withLock { $0.copies.append(copy) }
    }

    /// The death of a process also unlocks.
    package func unlock(_ file: Descriptor) { inner.unlock(file) }

    package func status(of file: Descriptor) throws(SystemError) -> FileStatus {
        try check("fstat")
        return try inner.status(of: file)
    }

    package func status(of place: String, in folder: Descriptor) throws(SystemError) -> FileStatus {
        try check("fstatat")
        return try inner.status(of: place, in: folder)
    }

    package func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try check("pread")
        return try inner.read(file, into: buffer, at: offset)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64) throws(SystemError) {
        note(.wrote(inode(file)))
        if plan.isFault() {
            try? inner.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), to: file, at: offset)
            throw SystemError("pwrite", number: number)
        }
        try inner.write(bytes, to: file, at: offset)
    }

    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try check("ftruncate")
        try inner.truncate(file, to: byteCount)
        note(.wrote(inode(file)))
    }

    package func startWriting(_ file: Descriptor, from offset: Int64, byteCount: Int64) throws(SystemError) {
        try check("sync_file_range")
        try inner.startWriting(file, from: offset, byteCount: byteCount)
    }

    package func touch(_ file: Descriptor) throws(SystemError) {
        try check("futimens")
        try inner.touch(file)
        note(.wrote(inode(file)))
    }

    package func sync(_ file: Descriptor) throws(SystemError) {
        try check("fsync")
        try inner.sync(file)
        note(.synced(inode(file)))
    }

    package func rename(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor
    ) throws(SystemError) {
        try check("renameat")
        let file = try inner.status(of: name, in: folder).inode
        try inner.rename(name, in: folder, to: newName, in: newFolder)
        note(.renamed(file, from: inode(folder), to: inode(newFolder)))
    }

    package func remove(_ name: String, in folder: Descriptor) throws(SystemError) {
        try check("unlinkat")
        try inner.remove(name, in: folder)
        note(.removed(in: inode(folder)))
    }

    package func contents(of folder: Descriptor) throws(SystemError) -> [FolderNames.Item] {
        try check("getdents")
        return try inner.contents(of: folder)
    }
}
