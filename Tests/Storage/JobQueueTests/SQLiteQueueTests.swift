import Database
import Foundation
import JobQueue
import Linux
import Media
import Synchronization
import TestDeadline
import Testing

@Suite("SQLiteQueue and its file", .deadline)
struct SQLiteQueueTests {
    private let folder = try! ScratchFolder()
    private var path: String { "\(folder.path)/queue.sqlite" }

    /// Runs SQL on the file with `sqlite3`.
    private func sqlite(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// The error of opening the file.
    private func trouble(_ options: SQLiteDatabase.Options = .init(.command)) -> QueueError? {
        do throws(QueueError) {
            _ = try SQLiteQueue(path: path, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("Jobs and attempts survive closing and opening the file")
    func reopening() throws {
        try SQLiteQueue.migrate(path: path)
        let id = try SQLiteQueue(path: path).enqueue(.of("/a", priority: .interactive)).id
        try SQLiteQueue.migrate(path: path)
        let again = try SQLiteQueue(path: path)
        #expect(try again.show(id).job.priority == .interactive)
        #expect(try again.enqueue(.of("/a")).isDuplicate)
    }

    @Test("A missing file, an empty one and one of a newer program are refused with a remedy, and stay unchanged")
    func versions() throws {
        guard case .unavailable(.missing, _) = trouble() else { throw Unexpected() }
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(trouble() == .notMigrated(detail: "version 0 of 3"))
        #expect(try SQLiteQueue.migrate(path: path) == (0, 3))
        #expect(try SQLiteQueue.migrate(path: path) == (3, 3))
        #expect(trouble() == nil)
        try sqlite("UPDATE schema_versions SET version = 7")
        #expect(trouble() == .newerSchema(found: 7, known: 3))
        #expect(throws: QueueError.newerSchema(found: 7, known: 3)) { try SQLiteQueue.migrate(path: path) }
    }

    @Test("While a newer program migrates an open file, work on it goes on")
    func migratedMeanwhile() throws {
        try SQLiteQueue.migrate(path: path)
        let queue = try SQLiteQueue(path: path)
        try queue.enqueue(.of("/a"))
        try sqlite(
            """
            UPDATE schema_versions SET version = 4; CREATE TABLE queue_more (x);
            ALTER TABLE queue_job ADD COLUMN more TEXT;
            """)
        try queue.enqueue(.of("/b"))
        #expect(try queue.claim(upTo: 9, by: "w", for: .seconds(9)).map(\.job.source) == [.path("/a"), .path("/b")])
        #expect(trouble() == .newerSchema(found: 4, known: 3))
    }

    @Test("A removed or replaced file takes no more changes, which would be lost")
    func removed() throws {
        try SQLiteQueue.migrate(path: path)
        let queue = try SQLiteQueue(path: path)
        try queue.enqueue(.of("/a"))
        try FileManager.default.moveItem(atPath: path, toPath: path + "-old")
        func expectMissing(_ body: () throws -> Void) {
            #expect { try body() } throws: { error in
                if case .unavailable(.missing, _) = error as? QueueError { true } else { false }
            }
        }
        expectMissing { try queue.enqueue(.of("/b")) }
        expectMissing { _ = try queue.claim(upTo: 1, by: "w", for: .seconds(30)) }
        // Another file at the path is another queue.
        try Data().write(to: URL(fileURLWithPath: path))
        expectMissing { try queue.enqueue(.of("/b")) }
        expectMissing { _ = try queue.status() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "-old", toPath: path)
        #expect(try queue.claim(upTo: 9, by: "w", for: .seconds(30)).map(\.job.source.location) == ["/a"])
    }

    @Test("A file that is no database is reported as damaged")
    func damage() throws {
        try Data("this is no database, however long one looks at it".utf8).write(to: URL(fileURLWithPath: path))
        guard case .unavailable(.corrupt, _) = trouble() else { throw Unexpected() }
    }

    @Test("A queue opened read-only refuses changes")
    func readOnly() throws {
        try SQLiteQueue.migrate(path: path)
        let id = try SQLiteQueue(path: path).enqueue(.of("/a")).id
        var options = SQLiteDatabase.Options(.command)
        options.use = .reading
        let queue = try SQLiteQueue(path: path, options: options)
        #expect(try queue.show(id).job.state == .available)
        do throws(QueueError) {
            try queue.enqueue(.of("/b"))
            throw .invalid("it was accepted")
        } catch {
            guard case .unavailable(.readOnly, _) = error else { throw error }
        }
    }

    @Test("A full file accepts no job, and keeps the accepted ones")
    func full() throws {
        try SQLiteQueue.migrate(path: path)
        var options = SQLiteDatabase.Options(.command)
        options.pageLimit = 60
        let queue = try SQLiteQueue(path: path, options: options)
        var accepted: [JobID] = []
        var error: QueueError?
        while error == nil, accepted.count < 10_000 {
            do throws(QueueError) { accepted.append(try queue.enqueue(.of("/\(accepted.count)")).id) } catch let caught
            {
                error = caught
            }
        }
        guard case .unavailable(.full, _) = error else { throw Unexpected() }
        #expect(accepted.count > 10)
        #expect(try queue.status().jobCount(.available) == accepted.count)
        #expect(try Set(queue.list(JobFilter(limit: 10_000)).map(\.id)) == Set(accepted))
    }

    @Test("An operation fails as locked when another program holds the lock too long")
    func locked() throws {
        try SQLiteQueue.migrate(path: path)
        var options = SQLiteDatabase.Options(.command)
        options.busyTimeout = .milliseconds(50)
        let queue = try SQLiteQueue(path: path, options: options)
        let holder = Process()
        let input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        holder.arguments = [path]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE; SELECT 'held';\n".utf8))
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        do throws(QueueError) {
            try queue.enqueue(.of("/a"))
            throw .invalid("it was accepted")
        } catch {
            guard case .unavailable(.locked, _) = error else { throw error }
        }
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try !queue.enqueue(.of("/a")).isDuplicate)
    }
    @Test("Four connections to one file never share a job, and lose none")
    func contention() throws {
        try SQLiteQueue.migrate(path: path)
        let requests = (0..<400).map { JobRequest.of("/\($0)") }
        let seen = Mutex<[JobID]>([])
        let failures = Mutex<[String]>([])
        let path = self.path
        let workers = try (0..<4).map { number in
            try WorkerThread(name: "worker-\(number)") {
                do {
                    let queue = try SQLiteQueue(path: path)
                    for request in requests[(number * 100)..<(number * 100 + 100)] { try queue.enqueue(request) }
                    var idle = 0
                    while idle < 20 {
                        let claimed = try queue.claim(upTo: 3, by: "\(number)", for: .seconds(60))
                        idle = claimed.isEmpty ? idle + 1 : 0
                        if claimed.isEmpty { Time.sleep(.milliseconds(5)) }
                        for job in claimed {
                            try queue.recordAttempt(job.token)
                            try queue.complete(job.token, JobOutcome())
                            seen.withLock { $0.append(job.job.id) }
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        for worker in workers { worker.join() }
        #expect(failures.withLock { $0 } == [])
        let ids = seen.withLock { $0 }
        #expect(ids.count == 400 && Set(ids).count == 400)
        #expect(try SQLiteQueue(path: path).status().jobCount(.done) == 400)
    }

    @Test("A job enqueued over another connection wakes a waiter")
    func wakingAcrossConnections() throws {
        try SQLiteQueue.migrate(path: path)
        let waiter = try SQLiteQueue(path: path).makeWaiter()
        let other = try SQLiteQueue(path: path)
        #expect(try !waiter.wait(atMost: .milliseconds(10)))
        try other.enqueue(.of("/a"))
        #expect(try waiter.wait(atMost: .seconds(10)))
    }

    private struct Unexpected: Error {}
}
