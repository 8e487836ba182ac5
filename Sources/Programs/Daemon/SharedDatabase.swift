package import Console
package import Database
package import JobQueue
internal import Linux
package import MatchStore
package import Media
internal import Synchronization

/// The one database of a process, which all its stores share: a file, which is made or upgraded at the start, or a PostgreSQL server.
package final class SharedDatabase: Sendable {
    /// What people call it: the file's path, or the server's address without its password.
    package let name: String
    /// The folder of the registry of this queue's workers on this machine.
    package let workersFolder: String
    /// `nil` for a file.
    private let server: PostgreSQLDatabase?
    /// The file once it was opened.
    private let file = Mutex<SQLiteDatabase?>(nil)

    /// - Parameters:
    ///   - path: a path of this machine for what lies beside the queue: the queue's own for a file.
    ///   - program: the name under which a server lists the connections.
    /// - Throws: `usage` for an address that is none.
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

    /// The connections of one process, the notifier's not among them.
    private static let connectionLimit = 16

    /// The database. A file is opened by the first call, and again once another one lies at its path, or it was found damaged.
    ///
    /// - Parameter makes: whether a missing file is made. One that went away may come back.
    /// - Throws: an `SQLFault`.
    package func opened(makes: Bool = false) throws -> any SQLDatabase {
        if let server { return server }
        let known = file.withLock { $0 }
        if let known, known.isSound { return known }
        let opened = try SQLiteDatabase(path: name, options: SQLiteDatabase.Options(makes ? .service : .existing))
        return file.withLock { file in
            // Another thread was faster.
            if let file, file !== known { return file }
            file = opened
            return opened
        }
    }

    /// Brings the queue's tables to this version; makes a file and its folder where they are missing.
    ///
    /// - Returns: a fault that may pass, such as a lock or a server that is away, after which the worker tries again; else `nil`.
    /// - Throws: `unavailable` where a person has to act: a damaged file, one of a newer program, a folder that cannot be
    ///   written.
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

    /// The searches for jobs beside the queue, which is there.
    ///
    /// - Throws: `unavailable`.
    package func searches() throws(Failure) -> SearchStore {
        do { return try SearchStore(try opened()) } catch { throw unusable(error) }
    }

    /// The postings beside the queue, which is there.
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
