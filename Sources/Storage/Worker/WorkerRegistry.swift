internal import CLinux
internal import Linux
public import Media
internal import Synchronization

/// The living workers of one queue on this machine. Each holds a lock on a file with its name.
///
/// The kernel releases the lock when the process ends, however it ends; a stopped process keeps it. So a worker whose
/// lock is free is dead, and its jobs are taken over at once.
public final class WorkerRegistry: Sendable {
    private let folder: String
    private let name: String
    private let version: String
    private let own: FileLock
    private let greeted = Mutex<Set<String>>([])

    /// Registers this worker.
    ///
    /// - Parameters:
    ///   - folder: is beside the queue, so that all its workers meet there; created if it is missing.
    ///   - name: the worker's name; letters, digits, `.` and `-`.
    ///   - version: the program's version.
    /// - Throws: `unavailable` if the folder cannot be written.
    public init(folder: String, name: String, version: String) throws(Failure) {
        self.folder = folder
        self.name = name
        self.version = version
        do throws(SystemError) {
            try OwnerOnly.makeFolder(folder)
            let descriptor = try Descriptor.open(
                "\(folder)/\(name)", O_RDWR | O_CREAT | O_NOFOLLOW, mode: OwnerOnly.file)
            own = try FileLock(descriptor)
            try descriptor.write(Array(version.utf8))
        } catch {
            throw Failure(
                .unavailable, message: "The folder of the queue's workers cannot be written.", detail: "\(error)")
        }
    }

    deinit { leave() }

    /// Removes this worker's entry.
    func leave() { unlink("\(folder)/\(name)") }

    /// Another living worker.
    struct Neighbour {
        let name: String
        let version: String
        let isSameVersion: Bool
    }

    /// Checks the entries of other workers.
    ///
    /// - Parameter takeOver: called with each dead worker; if it returns `true`, the entry is removed.
    /// - Returns: the living workers that no earlier call has returned.
    func look(takeOver: (String) -> Bool) -> [Neighbour] {
        var living: [Neighbour] = []
        let names = names()
        greeted.withLock { $0.formIntersection(names) }
        for other in names where other != name {
            let path = "\(folder)/\(other)"
            guard let file = try? Descriptor.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { continue }
            do throws(SystemError) {
                let lock = try FileLock(file)
                defer { withExtendedLifetime(lock) {} }
                // Another process may have removed the file meanwhile: its lock then means nothing.
                if let named = try? FileStatus.of(path: path), let opened = try? file.status(),
                    named.isSameFile(as: opened), takeOver(other)
                {
                    unlink(path)
                }
            } catch {
                guard error.number == EWOULDBLOCK, greeted.withLock({ $0.insert(other).inserted }) else { continue }
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
