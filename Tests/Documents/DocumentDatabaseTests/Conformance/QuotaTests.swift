import Documents
import Media
import TestDeadline
import Testing

@Suite("Every document store: what a person may store", .deadline)
struct QuotaTests {
    @Test(
        "A version that would be too much is refused, all versions count, and what is deleted is free again",
        arguments: StoreDriver.allCases)
    func bound(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        func add(_ title: String, _ size: Int64, after predecessor: ID<Document>? = nil) throws -> Document {
            bench.clock.advance(.milliseconds(1))
            var new = bench.new(title, size: size, after: predecessor)
            new.allowedByteCount = 1000
            return try bench.store.add(new)
        }
        let first = try add("A", 400)
        let second = try add("A", 600, after: first.id)
        #expect(throws: DocumentError.overQuota(used: 1000, allowed: 1000)) { try add("B", 1) }
        #expect(try bench.events() == [.stored, .stored] && bench.page().totalCount == 1)
        try bench.store.removeVersion(second.id, of: bench.owner)
        #expect(throws: DocumentError.overQuota(used: 400, allowed: 1000)) { try add("B", 601) }
        _ = try add("B", 600)
        // A different quota applies from then on, and no quota accepts everything.
        #expect(try bench.add("C", size: 5000).file.byteCount == 5000)
        #expect(throws: DocumentError.overQuota(used: 6000, allowed: 1000)) { try add("D", 1) }
    }

    @Test("The message names both numbers in the largest unit")
    func message() {
        #expect(
            DocumentError.overQuota(used: 9_840_000_000, allowed: 10_000_000_000).message
                == "Your storage is full: 9.8 GB of 10 GB are used. Delete what you no longer need.")
        #expect(DocumentError.overQuota(used: 999, allowed: 1000).message.contains("999 bytes of 1 KB"))
    }
}
