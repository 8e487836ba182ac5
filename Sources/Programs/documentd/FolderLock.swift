import CLinux
import Linux
import Media

/// A lock on the service's folder: every process that serves from it holds a shared one.
struct FolderLock {
    private let lock: FileLock

    /// Takes the lock for as long as this value lives, and waits for nobody.
    ///
    /// - Parameter isExclusive: for work during which no process may serve.
    /// - Throws: `unavailable` where another process stands in the way, or the folder cannot be written.
    init(_ folder: String, isExclusive: Bool) throws(Failure) {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC)
        } catch {
            throw Failure(
                .unavailable, message: "The folder \(folder) cannot be written (setting data).", detail: "\(error)")
        }
        do throws(SystemError) {
            lock = try FileLock(file, isExclusive ? .exclusive : .shared)
        } catch {
            let message =
                isExclusive
                ? "A documentd serves from \(folder). End it first."
                : "The folder \(folder) is being restored. Try again."
            throw Failure(.unavailable, message: message, detail: "\(error)")
        }
    }

    /// Takes the lock of a backup's folder.
    ///
    /// - Throws: `unavailable` while another backup is made there.
    init(backup folder: String) throws(Failure) {
        do throws(SystemError) {
            lock = try FileLock(try Descriptor.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC), .exclusive)
        } catch {
            throw Failure(
                .unavailable, message: "Another backup is being made in \(folder), or the folder cannot be written.",
                detail: "\(error)")
        }
    }
}
