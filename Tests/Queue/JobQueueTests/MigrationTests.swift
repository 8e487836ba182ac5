import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("SQLiteQueue migrates a file of the first version", .deadline)
struct MigrationTests {
    private let folder = try! ScratchFolder()
    private var path: String { "\(folder.path)/queue.sqlite" }

    /// The recipes of a job, as they are stored.
    private func recipes() throws -> String {
        let other = "\(folder.path)/other.sqlite"
        try SQLiteQueue.migrate(path: other)
        try SQLiteQueue(path: other).enqueue(.of("/a"))
        return try OtherProgram.sqlite(other, "SELECT recipes FROM queue_job;")[0]
    }

    @Test("A migration keeps jobs, leases, attempts and deaths; suspected jobs are claimed alone")
    func jobs() throws {
        let recipes = try recipes()
        let jobs = [
            FirstSchema.job("/suspect", state: "available", deaths: 2, recipes: recipes),
            FirstSchema.job("/leased", state: "leased", deaths: 0, recipes: recipes, worker: "old"),
            FirstSchema.job("/dead", state: "dead", deaths: 3, recipes: recipes),
            FirstSchema.job("/done", state: "done", deaths: 1, recipes: recipes),
            FirstSchema.job("/good", state: "available", deaths: 0, recipes: recipes),
        ]
        try OtherProgram.sqlite(path, FirstSchema.sql + jobs.joined() + "UPDATE queue_turn SET claims = 7;")
        #expect(throws: QueueError.notMigrated(detail: "version 1 of 2")) { try SQLiteQueue(path: path) }
        #expect(try SQLiteQueue.migrate(path: path) == (1, 2))
        let clock = ManualClock()
        let queue = try SQLiteQueue(path: path, QueueSurroundings(clock: clock))
        let before = try queue.list(JobFilter()).reversed() as [Job]
        #expect(before.map(\.source.location) == ["/suspect", "/leased", "/dead", "/done", "/good"])
        #expect(before.map(\.state) == [.available, .leased, .dead, .done, .available])
        #expect(before.map(\.workerDeathCount) == [2, 0, 3, 1, 0])
        #expect(before.allSatisfy { $0.aloneDeathCount == 0 && $0.unreadable.isEmpty && $0.lease?.isAlone != true })
        #expect(try queue.status().jobCount(.available) == 2)
        // The worker of the old version has ended.
        #expect(try queue.reclaim(from: "old") == 1)
        let leased = try queue.show(before[1].id)
        #expect(leased.job.isSuspected && leased.job.aloneDeathCount == 0)
        #expect(leased.attempts.map(\.isAlone) == [false] && leased.attempts.map(\.end) == [.workerDied])
        let first = try queue.claim(upTo: 9, by: "one", for: .seconds(30))
        #expect(first.map(\.job.source.location) == ["/suspect"] && first[0].isAlone)
        let second = try queue.claim(upTo: 9, by: "two", for: .seconds(30))
        #expect(second.map(\.job.source.location) == ["/leased"] && second[0].isAlone)
        let third = try queue.claim(upTo: 9, by: "three", for: .seconds(30))
        #expect(third.map(\.job.source.location) == ["/good"] && !third[0].isAlone)
        try queue.requeue(before[2].id)
        #expect(try !queue.show(before[2].id).job.isSuspected)
    }

    @Test("A file with another encoding than UTF-8 is refused, and not treated as damaged")
    func encoding() throws {
        try OtherProgram.sqlite(path, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE of_others (x);")
        #expect { try SQLiteQueue.migrate(path: path) } throws: { error in
            if case .unavailable(.other, let detail) = error as? QueueError { detail.contains("UTF-16") } else { false }
        }
    }
}
