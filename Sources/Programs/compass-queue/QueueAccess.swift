import CLinux
import Console
import Database
import JobQueue
import Linux
import Media

/// Opens the queue that the settings name, and turns its errors into messages with a remedy.
struct QueueAccess {
    /// The queue's file as messages name it.
    let path: String
    private let database: DatabasePlace

    init(_ settings: Settings) {
        database = settings.database ?? .file(settings.queuePath)
        path = if case .server = database { "in the PostgreSQL database" } else { settings.queuePath }
    }

    /// Opens the queue.
    ///
    /// - Throws: `unavailable` with the file's path.
    func open(isReadOnly: Bool = false) throws(Failure) -> any JobQueue {
        let database = try shared(isReadOnly ? .reading : .command)
        return try attempt { () throws(QueueError) in try QueueTables.open(database) }
    }

    /// Makes the queue, or migrates it to this program's version.
    ///
    /// - Returns: the version before (0 for a new queue) and after.
    func migrate() throws(Failure) -> (before: Int, after: Int) {
        if case .file = database { try makeFolder() }
        let database = try shared(.service)
        return try attempt { () throws(QueueError) in try QueueTables.migrate(database) }
    }

    private func shared(_ use: SQLiteDatabase.Options.Use) throws(Failure) -> any SQLDatabase {
        if case .server(let text) = database {
            return PostgreSQLDatabase(try Address(ofSetting: text, program: "compass"))
        }
        try QueueFolder.check(path)
        do {
            return try SQLiteDatabase(path: path, options: SQLiteDatabase.Options(use))
        } catch {
            throw failure(QueueError(error))
        }
    }

    /// Converts errors of the queue: to `unavailable` with the file's path, or to `usage` if a job's state does not
    /// allow the operation.
    func attempt<Answer>(_ body: () throws(QueueError) -> Answer) throws(Failure) -> Answer {
        do throws(QueueError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    /// The failure that a person sees for an error of the queue.
    func failure(_ error: QueueError) -> Failure {
        switch error {
        case .noSuchJob(let id): Failure(.usage, message: "Job \(id) does not exist.")
        case .wrongState(let id, let state): Failure(.usage, message: Self.refusal(of: id, state))
        case .duplicate(let id):
            Failure(.usage, message: "Job \(id) is identical and not finished. Wait for it, or cancel it.")
        case .invalid(let reason): Failure(.usage, message: "The queue does not accept this: \(reason).")
        case .leaseLost: Failure(.cancelled, detail: "\(error)")
        case .notMigrated(let detail):
            Failure(
                .unavailable,
                message: "The queue \(path) lacks this version's tables. Create or upgrade them: compass queue migrate",
                detail: detail)
        case .newerSchema(let found, let known):
            Failure(
                .unavailable,
                message: "The queue \(path) has a newer version (\(found); this program knows \(known)). "
                    + "Upgrade this program.")
        case .formerSchema(let detail):
            Failure(
                .unavailable, message: "The queue \(path) predates the first release. Create a new one.",
                detail: detail)
        case .unavailable(let trouble, let detail):
            Failure(.unavailable, message: "The queue \(path) \(words(for: trouble))", detail: detail)
        }
    }

    private static func refusal(of id: JobID, _ state: JobState) -> String {
        switch state {
        case .available, .leased: "Job \(id) is not finished; there is nothing to requeue."
        case .done, .dead, .cancelled: "Job \(id) is already \(state.rawValue); there is nothing to cancel."
        }
    }

    private func words(for trouble: QueueError.Trouble) -> String {
        if case .server = database { return Self.wordsOfServer(for: trouble) }
        return switch trouble {
        case .full: "is on a full disk. Free some space."
        case .readOnly: "cannot be written. Check the owner, mode and mount of the file and its folder."
        case .corrupt: "is damaged, or is not a queue. Restore it, or recover it with sqlite3's .recover."
        case .locked: "is locked by another process. Try again."
        case .missing: "does not exist. Create it: compass queue migrate"
        case .other: "is unreachable."
        }
    }

    private static func wordsOfServer(for trouble: QueueError.Trouble) -> String {
        switch trouble {
        case .full: "cannot grow: its server's disk is full. Free some space there."
        case .readOnly: "is read-only: its server accepts no changes. Use the address of one that does."
        case .corrupt: "is damaged. Restore it from a backup."
        case .locked: "is locked by another client. Try again."
        case .missing, .other: "is unreachable."
        }
    }

    /// Makes the folder of the queue: the default folder does not exist before the first queue.
    private func makeFolder() throws(Failure) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        var made = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            made += "/\(part)"
            do throws(SystemError) {
                try checking("mkdir") { mkdir(made, 0o700) }
            } catch {
                if (try? FileStatus.of(path: made))?.isDirectory == true { continue }
                throw Failure(.unavailable, message: "The folder \(made) cannot be created: \(error.reason).")
            }
        }
    }
}
