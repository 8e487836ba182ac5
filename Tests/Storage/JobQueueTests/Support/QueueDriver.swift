import Database
import JobQueue
import Media
import PostgreSQLSupport

/// The drivers that the conformance suite runs on.
enum QueueDriver: String, CaseIterable, Sendable {
    case sqlite
    case postgreSQL
}

/// A queue with a clock and random numbers that a test sets.
struct QueueBench {
    let database: any SQLDatabase
    let queue: any JobQueue
    let clock = ManualClock()
    private let folder: ScratchFolder
    private var server: ScratchDatabase?

    /// - Parameter random: the random number for every backoff.
    init(_ driver: QueueDriver, policy: QueuePolicy = QueuePolicy(), random: UInt64 = 0) throws {
        folder = try ScratchFolder()
        let surroundings = QueueSurroundings(clock: clock, random: { random }, policy: policy)
        switch driver {
        case .sqlite:
            let path = "\(folder.path)/queue.sqlite"
            try SQLiteQueue.migrate(path: path)
            let file = try SQLiteDatabase(path: path, options: SQLiteDatabase.Options(.command))
            database = file
            queue = try SQLiteQueue(file, surroundings)
        case .postgreSQL:
            let server = try ScratchDatabase()
            self.server = server
            database = server.database
            try QueueTables.migrate(server.database)
            queue = try PostgreSQLQueue(server.database, surroundings)
        }
    }

    /// Claims one job for 30 s.
    func claim(by worker: String = "worker") throws -> ClaimedJob? {
        try queue.claim(upTo: 1, by: worker, for: .seconds(30)).first
    }

    /// Claims the next job, begins an attempt, and lets the lease expire.
    func dieWorking(by worker: String = "worker") throws -> ClaimedJob? {
        guard let claimed = try claim(by: worker) else { return nil }
        try queue.recordAttempt(claimed.token)
        clock.advance(.seconds(30))
        try queue.reclaimExpired()
        return claimed
    }
}

extension JobRequest {
    /// A request for the grid rendition of a path.
    static func of(
        _ path: String, priority: Priority = .upload, kind: JobKind = .renditions, digest: Digest? = nil,
        recipes: [Recipe] = [Preset.grid.recipe], party: String? = nil
    ) -> JobRequest {
        JobRequest(
            kind: kind, source: .path(path), digest: digest, recipes: recipes, priority: priority, party: party)
    }
}
