import Documents
import Media
import TestDeadline
import Testing

@Suite("Every document store: files that arrive within one request", .deadline)
struct IntakeTests {
    private func file(_ bench: StoreBench, _ id: ObjectID, of owner: ID<Person>?, size: Int64) -> NewObject {
        NewObject(
            id: id, owner: owner, path: nil, digest: .numbered(1), byteCount: size, mediaType: .pdf, facts: nil,
            verdict: .passed)
    }

    @Test("Its room counts from its announcement on, and once when it is stored", arguments: StoreDriver.allCases)
    func room(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        for owner in [owner, nil] {
            let (first, second) = (ObjectID.random(), ObjectID.random())
            for _ in 0..<2 { try store.addIntake(of: first, for: owner, byteCount: 600, allowed: 1000) }
            #expect(try store.usedByteCount(of: owner) == 600, "a repeated call announces nothing more")
            #expect(throws: DocumentError.noRoom(for: owner, used: 600, allowed: 1000)) {
                try store.addIntake(of: second, for: owner, byteCount: 401, allowed: 1000)
            }
            try store.addIntake(of: second, for: owner, byteCount: 0, allowed: 1000)
            try store.reserve(400, for: second, .intake, of: owner, allowed: 1000)
            #expect(throws: DocumentError.noRoom(for: owner, used: 600, allowed: 1000)) {
                try store.reserve(401, for: second, .intake, of: owner, allowed: 1000)
            }
            try store.add(file(bench, first, of: owner, size: 500), allowed: 1000, arrival: .intake)
            #expect(try store.usedByteCount(of: owner) == 900)
            try store.endIntake(of: second, leavesBytes: false)
            #expect(try store.usedByteCount(of: owner) == 500)
            #expect(try store.intakes(olderThan: .zero).isEmpty)
            #expect(try store.dueRemovals(limit: 10).isEmpty)
        }
    }

    @Test("What was given up is not stored, and what is stored is not given up", arguments: StoreDriver.allCases)
    func once(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let (stored, late) = (ObjectID.random(), ObjectID.random())
        for id in [stored, late] { try store.addIntake(of: id, for: owner, byteCount: 1, allowed: nil) }
        #expect(try store.unknownObjects(among: [stored, late]).isEmpty)
        try store.add(file(bench, stored, of: owner, size: 1), arrival: .intake)
        for id in [stored, late] { try store.endIntake(of: id, leavesBytes: true) }
        #expect(try store.dueRemovals(limit: 10).map(\.object) == [late])
        #expect(throws: DocumentError.self) { try store.add(file(bench, late, of: owner, size: 1), arrival: .intake) }
        #expect(throws: DocumentError.self) { try store.reserve(2, for: late, .intake, of: owner, allowed: nil) }
        #expect(try store.object(late) == nil && store.object(stored) != nil)
        #expect(try store.unknownObjects(among: [stored, late]) == [late])
    }

    @Test("Its bytes go also where a crash has taken the row", arguments: StoreDriver.allCases)
    func lostRow(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, lost, stored) = (bench.store, ObjectID.random(), ObjectID.random())
        try store.add(file(bench, stored, of: bench.owner, size: 1))
        for id in [lost, stored] { try store.endIntake(of: id, leavesBytes: true) }
        try store.endIntake(of: .random(), leavesBytes: false)
        #expect(try store.dueRemovals(limit: 10).map(\.object) == [lost])
    }

    @Test("It is old enough after its age, and goes with its person", arguments: StoreDriver.allCases)
    func ends(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, id) = (bench.store, ObjectID.random())
        try store.addIntake(of: id, for: bench.owner, byteCount: 1, allowed: nil)
        #expect(try store.intakes(olderThan: .seconds(60)).isEmpty)
        bench.clock.advance(.seconds(60))
        #expect(try store.intakes(olderThan: .seconds(60)) == [id])
        try store.forget(bench.owner)
        #expect(try store.intakes(olderThan: .zero).isEmpty)
        #expect(try store.dueRemovals(limit: 10).map(\.object) == [id])
        #expect(throws: DocumentError.self) {
            try store.addIntake(of: .random(), for: bench.owner, byteCount: 1, allowed: nil)
        }
    }
}
