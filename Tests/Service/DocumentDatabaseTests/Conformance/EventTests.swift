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
        let school = try store.addSchool(named: "S", of: owner).id
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

    @Test("An upload is kept with its metadata until it is removed, and expires", arguments: StoreDriver.allCases)
    func uploads(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let upload = try store.addUpload(
            of: owner, by: bench.stranger, metadata: .object([.init("filename", .string("Ü.pdf"))]), length: nil,
            lifetime: .seconds(60))
        #expect(
            upload.uploader == bench.stranger && upload.expires == bench.clock.now + .seconds(60) && upload.end == nil)
        #expect(try store.upload(upload.id, of: owner) == upload && store.hasUpload(upload.id))
        #expect(try store.declareLength(10, of: upload.id, owner: owner).length == 10)
        #expect(try store.declareLength(10, of: upload.id, owner: owner).length == 10)
        #expect(throws: DocumentError.self) { try store.declareLength(11, of: upload.id, owner: owner) }
        #expect(try store.expiredUploads(behind: nil, limit: 9).elements.isEmpty)
        let open = try store.upload(upload.id, of: owner)
        #expect(
            try store.openUploads(of: owner, behind: nil, limit: 9).elements == [open]
                && store.openUploads(of: nil, behind: nil, limit: 9).elements == [open])
        #expect(try store.openUploads(of: bench.stranger, behind: nil, limit: 9).elements.isEmpty)
        bench.clock.advance(.seconds(60))
        #expect(try store.openUploads(of: owner, behind: nil, limit: 9).elements.isEmpty)
        #expect(try store.expiredUploads(behind: nil, limit: 9).elements.map(\.id) == [upload.id])
        try store.removeUpload(upload.id, of: owner)
        #expect(throws: DocumentError.notFound(.upload)) { try store.upload(upload.id, of: owner) }
        #expect(try store.expiredUploads(behind: nil, limit: 9).elements.isEmpty && !store.hasUpload(upload.id))
    }

    @Test("An upload's last request, sent again, answers with the same document", arguments: StoreDriver.allCases)
    func repeatedEnd(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        func begin() throws -> ID<Upload> {
            try store.addUpload(of: owner, by: owner, metadata: .object([]), length: 5, lifetime: .seconds(60)).id
        }
        let upload = try begin()
        #expect(try store.openUploads(of: owner, behind: nil, limit: 9).elements.map(\.id) == [upload])
        let document = try store.add(bench.new("A", upload: upload))
        #expect(try store.upload(upload, of: owner).end == .finished(document.id))
        #expect(try store.add(bench.new("A", upload: upload)) == document)
        #expect(try bench.page().totalCount == 1 && bench.events() == [.stored])
        // The first end stands.
        #expect(try store.endUpload(upload, of: owner, .failed(message: "x")).end == .finished(document.id))
        try store.removeLine(of: document.id, owner: owner)
        #expect(throws: DocumentError.notFound(.document)) { try store.add(bench.new("A", upload: upload)) }
        let failed = try begin()
        try store.endUpload(failed, of: owner, .failed(message: "Invalid file type."))
        #expect(throws: DocumentError.conflict(message: "Invalid file type.")) {
            try store.add(bench.new("A", upload: failed))
        }
        let bare = try begin()
        #expect(try store.endUpload(bare, of: owner, .finished(nil)).end == .finished(nil))
        #expect(try store.upload(bare, of: owner).end == .finished(nil))
        #expect(throws: DocumentError.self) { try store.add(bench.new("A", upload: bare)) }
        #expect(throws: DocumentError.notFound(.upload)) {
            try store.add(bench.new("A", upload: ID<Upload>.make(at: bench.clock.now)))
        }
        #expect(try bench.page().totalCount == 0)
    }
}
