internal import CLinux
internal import Linux
public import Media
internal import Synchronization

/// The workers of one queue that live on this machine: each holds a lock on a file of its name for as long as it does.
///
/// The kernel ends the lock with its process, however that ends; a stopped process keeps it. So a lock that can be had is a
/// death certificate, and the dead one's jobs are taken over at once.
public final class WorkerRegistry: Sendable {
    private let folder: String
    private let name: String
    private let version: String
    private let own: Descriptor
    private let greeted = Mutex<Set<String>>([])

    /// Enters a worker.
    ///
    /// - Parameters:
    ///   - folder: is made where it is missing; beside the queue, so that all workers of it meet.
    ///   - name: the worker's own; letters, digits, `.` and `-`.
    ///   - version: of the program.
    /// - Throws: `unavailable`.
    public init(folder: String, name: String, version: String) throws(Failure) {
        self.folder = folder
        self.name = name
        self.version = version
        do throws(SystemError) {
            if mkdir(folder, 0o770) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir \(folder)") }
            let descriptor = try Descriptor.open("\(folder)/\(name)", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o660)
            try checking("flock") { flock(descriptor.number, LOCK_EX | LOCK_NB) }
            try descriptor.write(Array(version.utf8))
            own = descriptor
        } catch {
            throw Failure(
                .unavailable, message: "The folder of the queue's workers cannot be written.", detail: "\(error)")
        }
    }

    deinit { leave() }

    /// Takes the entry away: this worker holds no jobs any more.
    func leave() { unlink("\(folder)/\(name)") }

    /// Another worker, as its file tells.
    struct Neighbour {
        let name: String
        let version: String
        let isSameVersion: Bool
    }

    /// Looks round.
    ///
    /// - Parameter takeOver: is called for each worker that died; its file goes when that succeeds.
    /// - Returns: those that live and were not seen before.
    func look(takeOver: (String) -> Bool) -> [Neighbour] {
        var living: [Neighbour] = []
        let names = names()
        greeted.withLock { $0.formIntersection(names) }
        for other in names where other != name {
            let path = "\(folder)/\(other)"
            guard let file = try? Descriptor.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { continue }
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
                // A file that somebody else has just removed is no worker's any more.
                if let named = try? FileStatus.of(path: path), let opened = try? file.status(),
                    named.inode == opened.inode, takeOver(other)
                {
                    unlink(path)
                }
            } else if clinux_errno() == EWOULDBLOCK, greeted.withLock({ $0.insert(other).inserted }) {
                let bytes = (try? file.bytes(at: 0, count: 64)) ?? []
                let version = Failure.bounded(String(decoding: bytes, as: UTF8.self))
                living.append(Neighbour(name: other, version: version, isSameVersion: version == self.version))
            }
        }
        return living
    }

    private func names() -> [String] {
        ((try? FolderNames.texts(in: folder)) ?? []).filter { !$0.hasPrefix(".") }
    }
}
