package import Linux

/// The system calls of a `FolderStore`: tests put an implementation here whose n-th call fails.
///
/// A name is that of an item in an open folder; a link is never followed. Errors are the kernel's.
package protocol ObjectFiles: Sendable {
    /// Opens a folder, by which its items are reached; `ENOTDIR` or `ELOOP` where a link bears the name.
    func openFolder(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Makes a folder for this user alone; `EEXIST` where the name is taken.
    func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError)
    /// Makes a file for this user alone, and opens it for writing; `EEXIST` where the name is taken.
    func create(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Opens a file for writing; `ENXIO` where a pipe bears the name.
    func openForWriting(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Opens a file for reading, by a path below a folder.
    func openForReading(_ place: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Locks a file without waiting until the descriptor is closed; `EWOULDBLOCK` where another one has the lock.
    func lock(_ file: Descriptor) throws(SystemError)
    /// Gives a lock back. Closing does not suffice: a process that is being started has copies of all descriptors until it runs
    /// its own program.
    func unlock(_ file: Descriptor)
    /// The status of an open file.
    func status(of file: Descriptor) throws(SystemError) -> FileStatus
    /// The status of a path below a folder.
    func status(of place: String, in folder: Descriptor) throws(SystemError) -> FileStatus
    /// Reads up to `buffer.count` bytes; fewer only at the end of the file.
    func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int
    /// Writes all bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64) throws(SystemError)
    /// Sets a file's length.
    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError)
    /// Asks the kernel to begin with the writing of a part to the disk, without waiting for it.
    func startWriting(_ file: Descriptor, from offset: Int64, byteCount: Int64) throws(SystemError)
    /// Sets a file's time of modification to now.
    func touch(_ file: Descriptor) throws(SystemError)
    /// Brings a file, or a folder's names, to the disk.
    func sync(_ file: Descriptor) throws(SystemError)
    func rename(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor
    ) throws(SystemError)
    /// The bytes of the file system around a folder: all, and those that are free for this user.
    func room(around folder: Descriptor) throws(SystemError) -> (all: Int64, free: Int64)
    /// Removes a file's name.
    func remove(_ name: String, in folder: Descriptor) throws(SystemError)
    /// A folder's items, in no order.
    func contents(of folder: Descriptor) throws(SystemError) -> [FolderNames.Item]
}
