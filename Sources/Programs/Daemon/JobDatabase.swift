internal import Console
package import JobQueue
internal import Linux
package import Media
package import PostgreSQL
package import Settings

/// The database that the queue lies in: a file, which is made or upgraded at the start, or a PostgreSQL server.
package struct JobDatabase: Sendable {
    /// What people call it: the file's path, or the server's address without its password.
    package let name: String
    /// The folder of the registry of this queue's workers on this machine.
    package let workersFolder: String
    private let place: Place

    private enum Place: Sendable {
        case file(String)
        case server(Server)
    }

    /// A server, with the one notifier of this process.
    package struct Server: Sendable {
        /// The connections.
        package let database: PostgreSQLDatabase
        /// The signals.
        package let notifier: Notifier
    }

    /// The server; `nil` for a file.
    package var server: Server? {
        if case .server(let server) = place { server } else { nil }
    }

    /// - Parameters:
    ///   - path: a path of this machine for what lies beside the queue: the queue's own for a file.
    ///   - program: the name under which a server lists the connections.
    /// - Throws: `usage` for an address that is none.
    package init(_ database: DatabasePlace, path: String, program: String) throws(Failure) {
        workersFolder = path + "-workers"
        switch database {
        case .file(let path):
            place = .file(path)
            name = path
        case .server(let text):
            let address = try Address(ofSetting: text, program: program)
            do throws(SystemError) {
                let notifier = try Notifier(address, channels: PostgreSQLQueue.channels)
                place = .server(
                    Server(
                        database: PostgreSQLDatabase(address, connectionLimit: Self.connectionLimit), notifier: notifier
                    ))
            } catch {
                throw Failure(.unavailable, detail: "\(error)")
            }
            name = address.shown
        }
        if let slash = path.lastIndex(of: "/") { PrivateFolders.make(String(path[..<slash]), isOwn: false) }
    }

    /// The connections of one process, the notifier's not among them.
    private static let connectionLimit = 16

    /// Brings the tables to this version; makes a file and its folder where they are missing.
    ///
    /// - Returns: a fault that may pass, such as a lock or a server that is away, after which the worker tries again; else `nil`.
    /// - Throws: `unavailable` where a person has to act: a damaged file, one of a newer program, a folder that cannot be
    ///   written.
    package func prepare() throws(Failure) -> QueueError? {
        if case .file(let path) = place { try QueueFolder.check(path) }
        do throws(QueueError) {
            switch place {
            case .file(let path): try SQLiteQueue.migrate(path: path)
            case .server(let server): try PostgreSQLQueue.migrate(server.database)
            }
            return nil
        } catch {
            switch (error, place) {
            case (.unavailable(.locked, _), _), (.unavailable(.full, _), _), (.unavailable(.other, _), .server):
                return error
            default:
                throw Failure(
                    .unavailable, message: "The queue \(name) cannot be used.", detail: error.description)
            }
        }
    }

    /// Opens the queue; the worker calls it again after a fault.
    package func open() throws(QueueError) -> any JobQueue {
        switch place {
        case .file(let path): try SQLiteQueue(path: path)
        case .server(let server): try PostgreSQLQueue(server.database, server.notifier)
        }
    }
}
