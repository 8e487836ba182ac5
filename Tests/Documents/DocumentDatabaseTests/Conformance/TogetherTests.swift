import Database
import Documents
import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every document store: changes that are one", .deadline)
struct TogetherTests {
    private struct Fault: Error {}

    @Test("Changes that are one are all there on return, with their jobs", arguments: StoreDriver.allCases)
    func success(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let other = try bench.reopened()
        let before = store.changeNumber()
        let (school, document) = try store.transaction {
            let school = try store.addSchools(named: ["A"], of: owner)[0].id
            let document = try bench.add("T", school: school)
            // Reads see what the change has done; another process's reads do not.
            #expect(try store.document(document.id, of: owner) == document)
            #expect(try bench.page().totalCount == 1 && store.statistics(of: owner).totalCount == 1)
            #expect(try other.schools(of: owner).isEmpty)
            return (school, try store.share(document.id, of: owner, with: [school], permission: .view))
        }
        #expect(store.changeNumber() > before)
        #expect(try other.document(document.id, of: owner) == document && document.shares.map(\.school) == [school])
        #expect(try bench.queue().claim(upTo: 9, by: "w", for: .seconds(30)).count == 1)
    }

    @Test("A fault takes back every change, also after one that has succeeded", arguments: StoreDriver.allCases)
    func fault(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let kept = try bench.add("kept")
        let events = try bench.events()
        #expect(throws: Fault.self) {
            try store.transaction {
                try bench.add("lost")
                try store.removeLine(of: kept.id, owner: owner)
                #expect(try bench.titles() == ["lost"])
                throw Fault()
            }
        }
        #expect(throws: DocumentError.notFound(.school)) {
            try store.transaction {
                try bench.add("lost too")
                try store.removeSchool(.make(at: bench.clock.now), of: owner)
            }
        }
        #expect(try bench.titles() == ["kept"] && bench.reopened().document(kept.id, of: owner) == kept)
        #expect(try bench.events() == events && store.dueRemovals(limit: 9).isEmpty)
        #expect(try bench.queue().claim(upTo: 9, by: "w", for: .seconds(30)).count == 1)
        // The store works as before.
        try bench.add("next")
        #expect(try bench.titles().count == 2)
    }

    @Test("A call whose fault is caught takes back its own part alone", arguments: StoreDriver.allCases)
    func caught(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let school = try store.addSchools(named: ["A"], of: owner)[0].id
        try store.transaction {
            let document = try bench.add("T")
            let missing = ID<School>.make(at: bench.clock.now)
            #expect(throws: DocumentError.notFound(.school)) {
                try store.share(document.id, of: owner, with: [school, missing], permission: .view)
            }
            try store.transaction { _ = try bench.add("U") }
        }
        #expect(try Set(bench.titles()) == ["T", "U"])
        #expect(try bench.page { $0.isShared = true }.filteredCount == 0)
    }

    @Test("No change is made for a request whose right has ended", arguments: StoreDriver.allCases)
    func ended(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let school = try store.addSchools(named: ["A"], of: owner)[0].id
        let document = try bench.add("T")
        let events = try bench.events()
        ChangePermit.with(ChangePermit { () throws(ChangePermit.Refusal) in throw .ended }) {
            #expect(throws: DocumentError.notAllowed) { try store.addSchools(named: ["B"], of: owner) }
            #expect(throws: DocumentError.notAllowed) { try store.removeSchool(school, of: owner) }
            #expect(throws: DocumentError.notAllowed) { try store.removeLine(of: document.id, owner: owner) }
            #expect(throws: DocumentError.notAllowed) {
                try store.share(document.id, of: owner, with: [school], permission: .view)
            }
            #expect(throws: DocumentError.notAllowed) {
                try store.transaction(of: [owner]) { try store.removeSchool(school, of: owner) }
            }
        }
        #expect(try bench.events() == events && store.schools(of: owner).map(\.id) == [school])
        ChangePermit.with(ChangePermit {}) {
            #expect(throws: Never.self) { try store.removeSchool(school, of: owner) }
        }
        #expect(try store.schools(of: owner).isEmpty)
    }
}
