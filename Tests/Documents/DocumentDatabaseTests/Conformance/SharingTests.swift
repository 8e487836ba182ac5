import Documents
import Media
import TestDeadline
import Testing

@Suite("Every document store: sharing, schools and templates", .deadline)
struct SharingTests {
    @Test("A line is shared with schools, once each, with the last permission", arguments: StoreDriver.allCases)
    func sharing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let schools = try ["A", "B", "C"].map { try store.addSchools(named: [$0], of: owner)[0].id }
        let first = try bench.add("T")
        let second = try bench.add("T", after: first.id)
        _ = try store.share(first.id, of: owner, with: [schools[1]], permission: .view)
        bench.clock.advance(.seconds(1))
        let shared = try store.share(
            second.id, of: owner, with: [schools[0], schools[1], schools[0]], permission: .edit)
        #expect(
            shared.shares == [
                Share(school: schools[1], permission: .edit), Share(school: schools[0], permission: .edit),
            ])
        #expect(try store.document(first.id, of: owner).shares == shared.shares && shared.updated == bench.clock.now)
        // A new version is shared like its line.
        #expect(try bench.add("T", after: first.id).shares == shared.shares)
        #expect(try store.unshare(second.id, of: owner, from: [schools[1]]).shares.map(\.school) == [schools[0]])
        #expect(throws: DocumentError.notFound(.school)) { try store.unshare(first.id, of: owner, from: [schools[1]]) }
        #expect(try store.unshare(first.id, of: owner, from: [schools[0]]).shares.isEmpty)
        #expect(try bench.page { $0.isShared = true }.filteredCount == 0)
        // A school that does not exist undoes the whole call.
        let missing = ID<School>.make(at: bench.clock.now)
        #expect(throws: DocumentError.notFound(.school)) {
            try store.share(first.id, of: owner, with: [schools[0], missing], permission: .view)
        }
        #expect(try store.document(first.id, of: owner).shares.isEmpty)
        // Several at once are one change, or none.
        _ = try store.share(first.id, of: owner, with: schools, permission: .view)
        #expect(throws: DocumentError.notFound(.school)) {
            try store.unshare(first.id, of: owner, from: [schools[0], missing])
        }
        let count = try bench.events().count
        #expect(
            try store.unshare(first.id, of: owner, from: [schools[0], schools[2]]).shares.map(\.school) == [schools[1]])
        #expect(try bench.events().count == count + 1)
    }

    @Test("A school's name is unique in its list, case and accents ignored", arguments: StoreDriver.allCases)
    func schoolNames(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let school = try store.addSchools(named: ["Zürich"], of: owner)[0]
        let other = try store.addSchools(named: ["Ann Arbor"], of: owner)[0]
        #expect(throws: DocumentError.self) { try store.addSchools(named: ["ZURICH"], of: owner)[0] }
        #expect(throws: DocumentError.self) { try store.renameSchool(other.id, of: owner, to: "zurich") }
        #expect(try store.renameSchool(school.id, of: owner, to: "ZÜRICH").name == "ZÜRICH")
        #expect(try store.schools(of: owner).map(\.name) == ["Ann Arbor", "ZÜRICH"])
        #expect(try store.addSchools(named: ["Zürich"], of: bench.stranger)[0].owner == bench.stranger)
    }

    @Test(
        "A removed school leaves its documents General and unshared, each with an event",
        arguments: StoreDriver.allCases)
    func removingSchools(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let school = try store.addSchools(named: ["A"], of: owner)[0].id
        let kept = try store.addSchools(named: ["B"], of: owner)[0].id
        let filed = try bench.add("filed", school: school)
        let shared = try bench.add("shared", school: kept)
        try bench.add("other", school: kept)
        _ = try store.share(shared.id, of: owner, with: [school, kept], permission: .view)
        let latest = try store.latestEvent(of: owner)
        try store.removeSchool(school, of: owner)
        #expect(try store.document(filed.id, of: owner).school == nil)
        #expect(try store.document(shared.id, of: owner).shares.map(\.school) == [kept])
        #expect(try bench.titles { $0.school = .general } == ["filed"])
        #expect(try store.schools(of: owner).map(\.id) == [kept])
        let events = try store.events(after: latest, of: owner, limit: 9)
        #expect(Set(events.map(\.document)) == [filed.id, shared.id] && events.allSatisfy { $0.kind == .changed })
        #expect(throws: DocumentError.notFound(.school)) { try store.removeSchool(school, of: owner) }
    }

    @Test("Templates are changed field by field, and listed by their last change", arguments: StoreDriver.allCases)
    func templates(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let first = try store.addTemplate(named: "A", type: .email, body: "Hi {{coach_name}}", of: owner)
        bench.clock.advance(.seconds(1))
        let second = try store.addTemplate(named: "A", type: .text, body: "x", of: owner)
        #expect(try store.templates(of: owner) == [second, first] && first.variables == ["coach_name"])
        bench.clock.advance(.seconds(1))
        let changed = try store.changeTemplate(first.id, of: owner, name: "B", type: nil, body: nil)
        #expect(changed.name == "B" && changed.body == first.body && changed.type == .email)
        #expect(changed.updated == bench.clock.now && changed.created == first.created)
        #expect(try store.templates(of: owner) == [changed, second] && store.templates(of: bench.stranger).isEmpty)
        try store.removeTemplate(first.id, of: owner)
        #expect(try store.templates(of: owner) == [second])
    }
}
