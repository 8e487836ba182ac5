import CLinux
import Linux
import Media

/// A lock on the service's folder: every process that serves from it holds a shared one.
struct FolderLock {
    private let lock: FileLock

    /// Takes the lock for as long as this value lives, and never waits.
    ///
    /// - Parameter isExclusive: for work during which no process may serve.
    /// - Throws: `unavailable` if another process holds the lock, or the folder is not writable.
    init(_ folder: String, isExclusive: Bool) throws(Failure) {
        try self.init(
            folder, isExclusive ? .exclusive : .shared,
            unwritable: "The folder \(folder) cannot be written (setting data).",
            taken: isExclusive
                ? "A documentd is using \(folder). Stop it first."
                : "The folder \(folder) is being restored. Try again.")
    }

    /// Takes the lock of a backup's folder.
    ///
    /// - Throws: `unavailable` while another backup is made there, or if the folder is not writable.
    init(backup folder: String) throws(Failure) {
        try self.init(
            folder, .exclusive, unwritable: "The folder \(folder) cannot be written.",
            taken: "Another backup is being made in \(folder).")
    }

    private init(_ folder: String, _ use: FileLock.Mode, unwritable: String, taken: String) throws(Failure) {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC)
        } catch {
            throw Failure(.unavailable, message: unwritable, detail: "\(error)")
        }
        do throws(SystemError) {
            lock = try FileLock(file, use)
        } catch {
            throw Failure(.unavailable, message: taken, detail: "\(error)")
        }
    }
}
