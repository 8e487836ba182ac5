import Foundation
import Linux
import Media
import People
import TestDeadline
import TestSupport
import Testing

@Suite("The bounds of the audit log", .deadline)
struct AuditBoundTests {
    private static let person = ID<Person>.make(at: Instant(microseconds: 1))
    private static let day = "2026-11-23"

    /// An entry at a minute of the day.
    private static func entry(
        by actor: ID<Person>? = nil, of owner: ID<Person>? = nil, minute: Int = 0, _ status: Int = 401,
        _ action: String = "DELETE /api/session", client: String = "192.0.2.1"
    ) -> AuditEntry {
        let time = Instant("\(day)T00:00:00Z")! + .seconds(60 * minute)
        return AuditEntry(
            time: time, actor: actor, owner: owner ?? actor,
            role: actor != nil ? "person" : owner != nil ? "visitor" : "nobody", action: action, things: nil,
            status: status, client: client, request: "r")
    }

    private static func lines(_ folder: String, _ name: String = "nobody-\(day).jsonl") throws -> [JSON] {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return [] }
        return try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
    }

    private static func texts(_ lines: AuditLines) throws -> [String] {
        var (lines, texts) = (lines, [String]())
        while let line = try lines.next() { if !line.isEmpty { texts.append(String(decoding: line, as: UTF8.self)) } }
        return texts
    }

    private func withLog(byteCount: Int64 = 1 << 30, _ body: (AuditLog, String) throws -> Void) throws {
        let folder = TemporaryFolder.make("audit")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try AuditLog(folder: folder, keptDays: 10, byteCount: byteCount) { Issue.record("\($0)") }, folder)
    }

    @Test("Refusals for too many requests have no lines but one a minute and kind, with their number")
    func refusals() throws {
        try withLog { log, folder in
            for _ in 0..<5000 { log.note(Self.entry(429)) }
            log.note(Self.entry(429, "PATCH /api/documents/{id}"))
            #expect(try Self.lines(folder).isEmpty)
            log.note(Self.entry(minute: 1, 401))
            let lines = try Self.lines(folder)
            #expect(lines.map { $0["count"]?.int } == [5000, 1, nil])
            #expect(lines[0]["action"]?.string == "DELETE /api/session" && lines[0]["status"]?.int == 429)
            #expect(lines[0]["client"] == .null && lines[0]["request"] == .null)
            #expect(lines[0]["time"]?.string == "2026-11-23T00:00:00.000Z")
        }
    }

    @Test("A network has a hundred lines at once, all strangers a thousand; the rest is counted")
    func strangers() throws {
        try withLog { log, folder in
            for _ in 0..<300 { log.note(Self.entry(), from: "one network") }
            #expect(try Self.lines(folder).count == 100)
            for number in 0..<100 { for _ in 0..<50 { log.note(Self.entry(), from: "\(number)") } }
            #expect(try Self.lines(folder).count == 1000)
            log.flush()
            let last = try Self.lines(folder).last
            #expect(last?["count"]?.int == 300 + 5000 - 1000)
            for _ in 0..<300 { log.note(Self.entry(minute: 1), from: "one network") }
            // Ten lines per minute become available again.
            #expect(try Self.lines(folder).count == 1001 + 10)
        }
    }

    @Test("A person's changes, failures, visits and strangers' requests take no lines from each other")
    func persons() throws {
        try withLog { log, folder in
            for _ in 0..<2000 { log.note(Self.entry()) }
            for _ in 0..<1500 { log.note(Self.entry(by: Self.person, 404)) }
            for _ in 0..<1500 { log.note(Self.entry(by: Self.person, 200), isRoutine: true) }
            for _ in 0..<1500 { log.note(Self.entry(of: Self.person, 200)) }
            for _ in 0..<1500 { log.note(Self.entry(by: Self.person, 200)) }
            log.flush()
            let people = try Self.lines(folder, "\(Self.day).jsonl")
            #expect(people.count == 300 + 1000 + 2)
            let counts = people.compactMap { $0["count"]?.int }.sorted()
            #expect(counts == [1200, 2000])
            let visits = try Self.lines(folder, "visits-\(Self.day).jsonl")
            #expect(visits.count == 100 + 1 && visits.last?["count"]?.int == 1400)
            #expect((people + visits).allSatisfy { $0["owner"]?.string == Self.person.text })
            #expect(try Self.texts(log.lines(about: Self.person)).count == people.count + visits.count)
        }
    }

    @Test("A person who floods the log for an hour is counted, and leaves others their lines")
    func flood() throws {
        try withLog { log, folder in
            let other = ID<Person>.make(at: Instant(microseconds: 2))
            for minute in 0..<60 {
                for _ in 0..<3000 { log.note(Self.entry(by: Self.person, minute: minute, 200, "PATCH")) }
                for _ in 0..<5 { log.note(Self.entry(by: other, minute: minute, 200)) }
                for _ in 0..<5 { log.note(Self.entry(by: other, minute: minute, 403)) }
            }
            log.flush()
            let lines = try Self.lines(folder, "\(Self.day).jsonl")
            let others = lines.filter { $0["actor"]?.string == other.text }
            #expect(others.count == 60 * 10 && others.allSatisfy { $0["count"] == nil })
            let own = lines.filter { $0["actor"]?.string == Self.person.text }
            #expect(own.count == 1000 + 59 * 5 + 60)
            let sum = own.reduce(0) { sum, line in sum + (line["count"]?.int ?? 1) }
            #expect(sum == 60 * 3000 && own.allSatisfy { $0["action"]?.string == "PATCH" })
        }
    }

    @Test("A person's counted requests have few lines, whatever they are; deletions have theirs beside any uploads")
    func kinds() throws {
        try withLog { log, folder in
            for number in 0..<3000 { log.note(Self.entry(by: Self.person, 200, "PUT \(number)"), isRoutine: true) }
            for _ in 0..<1000 { log.note(Self.entry(by: Self.person, 200)) }
            log.flush()
            let lines = try Self.lines(folder, "\(Self.day).jsonl")
            let deletions = lines.filter { $0["action"]?.string == "DELETE /api/session" }
            #expect(deletions.count == 1000 && deletions.allSatisfy { $0["count"] == nil })
            let counted = lines.filter { $0["count"] != nil }
            #expect(counted.count == 11)
            let rest = try #require(counted.first { $0["action"]?.string == "**" })
            #expect(rest["count"]?.int == 2700 - 10 && rest["status"]?.int == 0)
            #expect(rest["actor"]?.string == Self.person.text)
        }
    }

    @Test("Visits have files of their own: however many networks visit one person's things, other visits have lines")
    func visits() throws {
        try withLog { log, folder in
            let other = ID<Person>.make(at: Instant(microseconds: 2))
            for number in 0..<100 {
                for _ in 0..<50 { log.note(Self.entry(of: Self.person, 200), from: "network \(number)") }
            }
            for number in 0..<20 { log.note(Self.entry(of: other, 200), from: "other \(number)") }
            #expect(try Self.lines(folder, "\(Self.day).jsonl").isEmpty)
            let lines = try Self.lines(folder, "visits-\(Self.day).jsonl")
            let flood = lines.filter { $0["owner"]?.string == Self.person.text }
            #expect(flood.count == 300 && lines.count == 300 + 20)
            #expect(try Self.texts(log.lines(about: other)).count == 20)
        }
    }

    @Test("After the clock was set back, everybody has lines again")
    func clock() throws {
        try withLog { log, folder in
            for _ in 0..<1500 { log.note(Self.entry(by: Self.person, minute: 600, 200)) }
            log.note(Self.entry(by: Self.person, 200, "after"))
            let last = try Self.lines(folder, "\(Self.day).jsonl").last
            #expect(last?["action"]?.string == "after")
        }
    }

    @Test("A part of a line, of this process or another, costs no other line")
    func parts() throws {
        try withLog { log, folder in
            let path = "\(folder)/\(Self.day).jsonl"
            try Data(#"{"time":"2026-11-"#.utf8).write(to: URL(fileURLWithPath: path))
            log.note(Self.entry(by: Self.person, 200, "first"))
            // A partial line, as a full disk leaves it while the log has the file open.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(#"{"time":"#.utf8))
            try file.close()
            log.note(Self.entry(by: Self.person, 200, "second"))
            log.note(Self.entry(by: Self.person, 200, "third"))
            let found = try Self.texts(log.lines(about: Self.person)).map { try JSON(parsing: Array($0.utf8)) }
            #expect(found.map { $0["action"]?.string } == ["first", "second", "third"])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 6)
        }
    }

    @Test("The log keeps within its bytes: the oldest files go first, and strangers' lines take no bytes of persons'")
    func bytes() throws {
        try withLog(byteCount: 800_000) { log, folder in
            for minute in 0..<40 {
                for number in 0..<20 {
                    let action = "\(minute) \(number) \(String(repeating: "x", count: 700))"
                    log.note(Self.entry(by: Self.person, minute: minute * 100, 200, action))
                    log.note(Self.entry(minute: minute * 100, 401, action, client: "\(number)"))
                }
            }
            var sums = (people: Int64(0), nobody: Int64(0))
            for name in try FolderNames.texts(in: folder) {
                let count = try FileStatus.of(path: "\(folder)/\(name)").byteCount
                if name.hasPrefix("nobody-") { sums.nobody += count } else { sums.people += count }
            }
            #expect((500_000...605_000).contains(sums.people) && (60_000...105_000).contains(sums.nobody), "\(sums)")
            let texts = try Self.texts(log.lines(about: Self.person))
            #expect(texts.last?.contains("39 19 ") == true && texts.first?.contains("\"0 0 ") == false)
            #expect(Set(texts).count == texts.count && texts.count > 500)
        }
    }

    @Test("A process whose file another one has removed goes on in a new one")
    func removed() throws {
        try withLog { log, folder in
            log.note(Self.entry(by: Self.person, 200))
            try FileManager.default.removeItem(atPath: "\(folder)/\(Self.day).jsonl")
            log.note(Self.entry(by: Self.person, 200))
            #expect(try Self.lines(folder, "\(Self.day).jsonl").count == 1)
        }
    }

    @Test("A person's lines are read by pieces, from the latest bytes alone where there is a bound")
    func reading() throws {
        try withLog { log, folder in
            let action = String(repeating: "y", count: 900)
            let line = #"{"time":"2026-11-22T00:00:00.000Z","actor":"0","action":"\#(action)"}"#
            let others = Data(String(repeating: line + "\n", count: 12_000).utf8)
            // A line that never ends is skipped.
            try (others + Data(repeating: 0x78, count: 1 << 20) + Data("\n".utf8))
                .write(to: URL(fileURLWithPath: "\(folder)/2026-11-22.jsonl"))
            log.note(Self.entry(by: Self.person, 200, "first"))
            log.note(Self.entry(by: Self.person, 200, "second"))
            var lines = try log.lines(about: Self.person)
            var pauses = 0
            var found: [JSON] = []
            while let line = try lines.next() {
                if line.isEmpty { pauses += 1 } else { found.append(try JSON(parsing: line)) }
            }
            #expect(pauses > 0 && found.map { $0["action"]?.string } == ["first", "second"])
            #expect(lines.firstDay == nil)
            let size = try FileStatus.of(path: "\(folder)/\(Self.day).jsonl").byteCount
            let latest = try log.lines(about: Self.person, atMost: size - 1)
            #expect(latest.firstDay == Self.day)
            #expect(try Self.texts(latest).count == 1)
        }
    }
}
