import Documents
import Linux
import Media
import TestDeadline
import Testing

@Suite("Every document store: events and uploads", .deadline)
struct EventTests {
    @Test("Each change is an event of its owner, in the order of changes", arguments: StoreDriver.allCases)
    func order(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        #expect(try store.latestEvent(of: owner) == 0)
        let school = try store.addSchools(named: ["S"], of: owner)[0].id
        let first = try bench.add("A")
        let second = try bench.add("A", after: first.id)
        _ = try store.change(first.id, of: owner, to: DocumentChange(title: "B"))
        _ = try store.restore(first.id, of: owner)
        _ = try store.share(first.id, of: owner, with: [school], permission: .view)
        _ = try store.unshare(first.id, of: owner, from: [school])
        try store.removeLine(of: first.id, owner: owner)
        let events = try store.events(after: 0, of: owner, limit: 99)
        #expect(events.map(\.kind) == [.stored, .stored, .changed, .changed, .changed, .changed, .deleted, .deleted])
        #expect(events.map(\.document) == [first, second, first, first, first, first, second, first].map(\.id))
        #expect(events.allSatisfy { $0.line == first.line && $0.owner == owner })
        #expect(events.map(\.number) == events.map(\.number).sorted() && Set(events.map(\.number)).count == 8)
        #expect(try store.latestEvent(of: owner) == events.last?.number)
        #expect(try store.events(after: events[5].number, of: owner, limit: 1) == [events[6]])
        #expect(try store.events(after: events[7].number, of: owner, limit: 9).isEmpty)
    }

    @Test("Events are forgotten after a week, and later ones have larger numbers", arguments: StoreDriver.allCases)
    func forgetting(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.add("A")
        let old = try bench.store.latestEvent(of: bench.owner)
        bench.clock.advance(.seconds(7 * 86_400 + 1))
        try bench.add("B")
        let events = try bench.store.events(after: 0, of: bench.owner, limit: 9)
        #expect(events.count == 1 && events[0].number > old)
    }

    @Test("A change by another store wakes a listener", arguments: StoreDriver.allCases)
    func waking(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let listener = try bench.store.makeListener()
        #expect(try !listener.wait(atMost: .milliseconds(10)))
        let other = try bench.reopened()
        _ = try other.add(bench.new("A"))
        #expect(try listener.wait(atMost: .seconds(20)))
    }
}
