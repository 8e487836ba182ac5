import Documents
import FaultInjection
import Foundation
import Objects
import People
import PersonalData
import TestDeadline
import Testing

@Suite("The archive of a person, piece by piece", .deadline)
struct AccountArchiveTests {
    /// An archive of 50,000 unshared documents was silent for minutes, and did not notice that its client had left.
    @Test("Each piece takes a few transactions, also among documents that are not shared")
    func unshared() throws {
        let bench = try ArchiveBench()
        defer { bench.remove() }
        let documents = try bench.addDocuments(500)
        _ = try bench.store.addLink(
            to: documents[300].id, of: bench.owner, permission: .view, lifetime: .seconds(3600))
        let transactions = FaultPlan()
        let archive = try bench.archive(transactions: transactions)
        var (bytes, most, last) = (Data(), 0, transactions.callCount)
        while let piece = try archive.next() {
            bytes += piece
            most = max(most, transactions.callCount - last)
            last = transactions.callCount
        }
        #expect(most <= 3)
        let path = "\(bench.folder)/export.zip"
        try bytes.write(to: URL(fileURLWithPath: path))
        let read = try ArchiveFile(path: path).read(
            "len(json.loads(z.read('documents.json')))",
            "[(x['title'], len(x['links'])) for x in json.loads(z.read('shares.json'))]",
            "len(json.loads(z.read('missing.json')))")
        #expect(read == ["500", "[('300', 1)]", "500"])
    }

    /// A person with a file of 3 MiB, and the number of file system calls up to its first MiB in the archive.
    private static func makeLargeFile() throws -> (bench: ArchiveBench, callCount: Int) {
        let bench = try ArchiveBench()
        try bench.put([UInt8](repeating: 0x61, count: 3 << 20), of: try bench.addDocuments(1)[0])
        let calls = FaultPlan()
        let archive = try bench.archive(calls: calls)
        while let piece = try archive.next(), piece.count < 1 << 20 {}
        return (bench, calls.callCount)
    }

    @Test("A file whose reading fails is cut there, and named as cut", arguments: [EIO, ETIMEDOUT])
    func cut(number: Int32) throws {
        let (bench, callCount) = try Self.makeLargeFile()
        defer { bench.remove() }
        let archive = try bench.archive(calls: FaultPlan(.once(callCount)), number: number)
        let file = try bench.save(archive)
        let reason = "is cut after 1048576 of 3145728 bytes: the rest cannot be read"
        #expect(archive.gaps == ["file files/transcript/0_a.txt \(reason)"])
        #expect(archive.fileCount == 1)
        let read = try file.read(
            "len(z.read('files/transcript/0_a.txt'))", "json.loads(z.read('missing.json'))[0]['reason']")
        #expect(read == ["1048576", reason])
    }

    @Test("A store that becomes unreachable in a file ends the archive")
    func unreachable() throws {
        let (bench, callCount) = try Self.makeLargeFile()
        defer { bench.remove() }
        let archive = try bench.archive(calls: FaultPlan(.fromOn(callCount)), number: ETIMEDOUT)
        #expect(throws: ObjectError.self) { _ = try bench.save(archive) }
    }

    /// Such a log ended every archive after its beginning was sent.
    @Test("An audit log that cannot be read leaves the rest of the archive", arguments: [true, false])
    func activity(hasFolder: Bool) throws {
        let bench = try ArchiveBench()
        defer { bench.remove() }
        let folder = "\(bench.folder)/audit"
        let audit = try AuditLog(folder: folder, keptDays: 1) { _ in }
        if hasFolder {
            // It can be opened, but not read.
            try FileManager.default.createDirectory(
                atPath: "\(folder)/2026-11-23.jsonl/folder", withIntermediateDirectories: true)
        } else {
            try FileManager.default.removeItem(atPath: folder)
        }
        let archive = try bench.archive(audit: audit)
        let file = try bench.save(archive)
        #expect(archive.gaps == ["activity activity.jsonl is incomplete: the audit log cannot be read"])
        #expect(try file.read("z.read('activity.jsonl')", "len(json.loads(z.read('missing.json')))") == ["b''", "1"])
    }
}
