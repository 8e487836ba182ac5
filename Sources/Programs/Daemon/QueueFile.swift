internal import CLinux
internal import Console
package import JobQueue
internal import Linux
package import Media

/// The queue's file, which is made or upgraded at the start.
package struct QueueFile: Sendable {
    /// Where it lies.
    package let path: String

    /// The file at a path, which need not exist yet.
    package init(path: String) { self.path = path }

    /// Makes the file and its folder where they are missing, and brings its tables to this version.
    ///
    /// - Returns: a fault that may pass, such as a lock, after which the worker tries again; else `nil`.
    /// - Throws: `unavailable` where a person has to act: a damaged file, one of a newer program, a folder that cannot be
    ///   written.
    package func prepare() throws(Failure) -> QueueError? {
        makeFolders()
        try QueueFolder.check(path)
        do throws(QueueError) {
            try SQLiteQueue.migrate(path: path)
            return nil
        } catch {
            switch error {
            case .unavailable(.locked, _), .unavailable(.full, _): return error
            default:
                throw Failure(
                    .unavailable, message: "The queue \(path) cannot be used.", detail: error.description)
            }
        }
    }

    /// Opens the queue; the worker calls it again after a fault.
    package func open() throws(QueueError) -> any JobQueue { try SQLiteQueue(path: path) }

    /// The folder of the registry of this queue's workers.
    package var workersFolder: String { path + "-workers" }

    /// Errors are ignored here: making the file fails then, with the reason.
    private func makeFolders() {
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            _ = mkdir(String(path[..<index]), 0o700)
        }
    }
}
