import Foundation
import Linux
import Media
import People
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("The log of who did what", .deadline)
struct AuditLogTests {
    private static let person = ID<Person>.make(at: Instant(microseconds: 1))

    private static func texts(_ lines: AuditLines) throws -> [String] {
        var (lines, texts) = (lines, [String]())
        while let line = try lines.next() { if !line.isEmpty { texts.append(String(decoding: line, as: UTF8.self)) } }
        return texts
    }

    private static func entry(_ time: String, by actor: ID<Person>? = person, _ action: String = "x") -> AuditEntry {
        AuditEntry(
            time: Instant(time)!, actor: actor, owner: actor, role: actor == nil ? "operator" : "person",
            action: action,
            things: AuditThings(person),
            status: 200, client: "192.0.2.1", request: "r")
    }

    @Test("An entry is a line of JSON in its day's file, which nobody else may read")
    func lines() throws {
        let folder = TemporaryFolder.make("audit")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = try AuditLog(folder: "\(folder)/a", keptDays: 10) { Issue.record("\($0)") }
        log.note(Self.entry("2026-11-22T23:59:59.999Z"))
        log.note(Self.entry("2026-11-23T00:00:00Z", by: nil))
        log.note(Self.entry("2026-11-23T09:00:00Z", "DELETE /api/documents/{id}"))
        let text = try String(contentsOfFile: "\(folder)/a/2026-11-23.jsonl", encoding: .utf8)
        let lines = try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        #expect(lines.count == 2 && lines[0]["actor"] == .null && lines[1]["actor"]?.string == Self.person.text)
        #expect(
            lines[1]["action"]?.string == "DELETE /api/documents/{id}"
                && lines[1]["subject"]?.string == Self.person.text)
        #expect(lines[1]["time"]?.string == "2026-11-23T09:00:00.000Z")
        #expect(try Self.texts(log.lines(about: Self.person)).count == 2)
        #expect(try Self.texts(log.lines(about: .make(at: Instant(microseconds: 2)))) == [])
        let status = try FileStatus.of(path: "\(folder)/a/2026-11-23.jsonl")
        #expect(status.mode & 0o777 == 0o600)
        #expect(try FileStatus.of(path: "\(folder)/a").mode & 0o777 == 0o700)
    }

    @Test(
        "What is about a person is what they did, and what was done with their things, without where others came from")
    func about() throws {
        let folder = TemporaryFolder.make("audit")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = try AuditLog(folder: folder, keptDays: 10) { Issue.record("\($0)") }
        let other = ID<Person>.make(at: Instant(microseconds: 2))
        func note(by actor: ID<Person>?, of owner: ID<Person>?, _ role: String = "person", _ things: AuditThings? = nil)
        {
            log.note(
                AuditEntry(
                    time: Instant("2026-11-23T00:00:00Z")!, actor: actor, owner: owner, role: role, action: "GET /",
                    things: things, status: 200, client: "192.0.2.7", request: "r"))
        }
        note(by: Self.person, of: Self.person)
        note(by: other, of: Self.person)
        note(by: nil, of: Self.person, "operator", AuditThings(Self.person))
        // A stranger who tries to use one of the person's paths.
        note(by: other, of: other, "person", AuditThings(Self.person))
        let lines = try Self.texts(log.lines(about: Self.person))
        #expect(lines.count == 3)
        #expect(lines.map { $0.contains("192.0.2.7") } == [true, false, false])
    }

    @Test("Days beyond the set time are removed, other files stay")
    func age() throws {
        let folder = TemporaryFolder.make("audit")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = try AuditLog(folder: folder, keptDays: 100) { Issue.record("\($0)") }
        for day in ["2026-11-19", "2026-11-20", "2026-11-21"] { old.note(Self.entry("\(day)T00:00:00Z")) }
        try Data().write(to: URL(fileURLWithPath: "\(folder)/2020.jsonl"))
        let log = try AuditLog(folder: folder, keptDays: 3) { Issue.record("\($0)") }
        log.note(Self.entry("2026-11-22T12:00:00Z"))
        #expect(
            try FolderNames.texts(in: folder).sorted()
                == ["2020.jsonl", "2026-11-20.jsonl", "2026-11-21.jsonl", "2026-11-22.jsonl"])
    }

    @Test("Lines of several writers do not mix")
    func writers() throws {
        let folder = TemporaryFolder.make("audit")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let threads = try (0..<4).map { number in
            try WorkerThread(name: "writer") {
                guard let log = try? AuditLog(folder: folder, keptDays: 1, warn: { _ in }) else { return }
                for _ in 0..<500 {
                    log.note(Self.entry("2026-11-22T12:00:00Z", String(repeating: "\(number)", count: 300)))
                }
            }
        }
        for thread in threads { thread.join() }
        let text = try String(contentsOfFile: "\(folder)/2026-11-22.jsonl", encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2000)
        for line in lines { #expect(throws: Never.self) { try JSON(parsing: Array(line.utf8)) } }
    }

    @Test("A folder that cannot be written is told, and stops nobody")
    func faults() throws {
        let folder = TemporaryFolder.make("audit")
        let faults = Mutex(0)
        let log = try AuditLog(folder: "\(folder)/a", keptDays: 1) { _ in faults.withLock { $0 += 1 } }
        try FileManager.default.removeItem(atPath: folder)
        log.note(Self.entry("2026-11-22T12:00:00Z"))
        #expect(faults.withLock { $0 } == 1)
    }
}
