package import Linux

/// The system calls of a `FolderStore`. Tests substitute an implementation whose n-th call fails.
///
/// A name is the name of an item in an open folder. A link is never followed. Errors are the kernel's.
package protocol ObjectFiles: Sendable {
    /// Opens a folder, for access to its items; `ENOTDIR` or `ELOOP` if the name is a link.
    func openFolder(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Creates a folder for this user alone; `EEXIST` if the name is taken.
    func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError)
    /// Creates a file for this user alone, and opens it for writing; `EEXIST` if the name is taken.
    func create(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Opens a file for writing; `ENXIO` if the name is a pipe.
    func openForWriting(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Opens a file for reading, by a path below a folder.
    func openForReading(_ place: String, in folder: Descriptor) throws(SystemError) -> Descriptor
    /// Locks a file until the descriptor is closed, without waiting; `EWOULDBLOCK` if another descriptor has the lock.
    func lock(_ file: Descriptor) throws(SystemError)
    /// Releases a lock. Closing is not enough: a process that is being started has copies of all descriptors until it
    /// runs its own program.
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
    /// Asks the kernel to start writing a part to the disk, without waiting for it.
    func startWriting(_ file: Descriptor, from offset: Int64, byteCount: Int64) throws(SystemError)
    /// Sets a file's modification time to now.
    func touch(_ file: Descriptor) throws(SystemError)
    /// Writes a file, or a folder's names, to the disk.
    func sync(_ file: Descriptor) throws(SystemError)
    func rename(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor
    ) throws(SystemError)
    /// The bytes of the file system around a folder: all, and the number free for this user.
    func room(around folder: Descriptor) throws(SystemError) -> (all: Int64, free: Int64)
    /// Removes a file's name.
    func remove(_ name: String, in folder: Descriptor) throws(SystemError)
    /// A folder's items, in no order.
    func contents(of folder: Descriptor) throws(SystemError) -> [FolderNames.Item]
}
