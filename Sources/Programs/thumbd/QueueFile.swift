import CLinux
import Console
import JobQueue
import Linux
import Media

/// The queue's file: made or upgraded at the start, opened whenever it is needed.
struct QueueFile: Sendable {
    let path: String

    /// Makes the file and its folder where they are missing, and brings its tables to this version.
    ///
    /// - Returns: what is wrong for the moment and may pass, as a lock; the worker tries again.
    /// - Throws: `unavailable` where a person has to act: a damaged file, one of a newer program, a folder that cannot be
    ///   written.
    func prepare() throws(Failure) -> QueueError? {
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

    func open() throws(QueueError) -> any JobQueue { try SQLiteQueue(path: path) }

    /// Where the workers of this queue meet.
    var workersFolder: String { path + "-workers" }

    /// What fails here shows when the file is made.
    private func makeFolders() {
        for (index, character) in zip(path.indices, path) where character == "/" && index > path.startIndex {
            _ = mkdir(String(path[..<index]), 0o700)
        }
    }
}
