package import Console
package import Database
package import JobQueue
internal import Linux
package import MatchStore
package import Media
internal import Synchronization

/// The only database of a process, which all its stores share: a file, made or migrated at the start, or a PostgreSQL
/// server.
package final class SharedDatabase: Sendable {
    /// Its name for people: the file's path, or the server's address without its password.
    package let name: String
    /// The folder of the registry of this queue's workers on this machine.
    package let workersFolder: String
    /// `nil` for a file.
    private let server: PostgreSQLDatabase?
    /// The file after it is opened.
    private let file = Mutex<SQLiteDatabase?>(nil)

    /// - Parameters:
    /// - path: a path on this machine for the files next to the queue: the queue's own path for a file.
    ///   - program: the name under which a server lists the connections.
    /// - Throws: `usage` for an invalid address.
    package init(_ database: DatabasePlace, path: String, program: String) throws(Failure) {
        workersFolder = path + "-workers"
        switch database {
        case .file(let path):
            server = nil
            name = path
        case .server(let text):
            let address = try Address(ofSetting: text, program: program)
            server = PostgreSQLDatabase(address, connectionLimit: Self.connectionLimit)
            name = address.shown
        }
        if let slash = path.lastIndex(of: "/") { PrivateFolders.make(String(path[..<slash]), isOwn: false) }
    }

    /// The connections of one process, without the notifier's.
    private static let connectionLimit = 16

    /// The database. The first call opens a file. A later call opens it again if another file is at its path, or if it
    /// was found damaged.
    ///
    /// - Parameter makes: whether a missing file is made. A file that disappeared may return.
    /// - Throws: an `SQLFault`.
    package func opened(makes: Bool = false) throws -> any SQLDatabase {
        if let server { return server }
        let known = file.withLock { $0 }
        if let known, known.isSound { return known }
        let opened = try SQLiteDatabase(path: name, options: SQLiteDatabase.Options(makes ? .service : .existing))
        return file.withLock { file in
            // Another thread opened it first.
            if let file, file !== known { return file }
            file = opened
            return opened
        }
    }

    /// Migrates the queue's tables to this version; makes a file and its folder if they are missing.
    ///
    /// - Returns: a fault that may pass, such as a lock or an unreachable server, after which the worker retries; else
    ///   `nil`.
    /// - Throws: `unavailable` if a person has to act: a damaged file, a file of a newer program, a folder that is not
    ///   writable.
    package func prepare() throws(Failure) -> QueueError? {
        if server == nil { try QueueFolder.check(name) }
        do {
            try QueueTables.migrate(try opened(makes: true))
            return nil
        } catch {
            let error = QueueError(error)
            switch (error, server) {
            case (.unavailable(.locked, _), _), (.unavailable(.full, _), _), (.unavailable(.other, _), .some):
                return error
            default:
                throw Failure(
                    .unavailable, message: "The queue \(name) cannot be used.", detail: error.description)
            }
        }
    }

    /// Opens the queue; the worker calls it again after a fault.
    package func openQueue() throws(QueueError) -> any JobQueue {
        do {
            return try QueueTables.open(try opened())
        } catch {
            throw QueueError(error)
        }
    }

    /// The job searches stored with the queue, which must exist.
    ///
    /// - Throws: `unavailable`.
    package func searches() throws(Failure) -> SearchStore {
        do { return try SearchStore(try opened()) } catch { throw unusable(error) }
    }

    /// The postings stored with the queue, which must exist.
    ///
    /// - Throws: `unavailable`.
    package func postings() throws(Failure) -> PostingStore {
        do { return try PostingStore(try opened()) } catch { throw unusable(error) }
    }

    /// `unavailable` for any error of the database.
    package func unusable(_ error: any Error) -> Failure {
        Failure(.unavailable, message: "The database \(name) cannot be used.", detail: "\(error)")
    }
}
