import Linux
import Media
import Objects
import SourceFiles
import TestDeadline
import Testing

@Suite("Objects are read, copied and removed", .deadline)
struct ChangingTests {
    @Test("Ranges are read as they are asked for, and end with the object", arguments: StoreDriver.allCases)
    func ranges(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let reader = try bench.store.open(try bench.put("0123456789"))
        #expect(reader.byteCount == 10)
        for (offset, count, text) in [(0, 3, "012"), (7, 3, "789"), (7, 9, "789"), (10, 1, ""), (99, 5, "")] {
            var buffer = [UInt8](repeating: 0, count: count)
            let done = try buffer.withUnsafeMutableBytes { try reader.read(into: $0, at: Int64(offset)) }
            #expect(String(decoding: buffer.prefix(done), as: UTF8.self) == text)
        }
    }

    @Test("What is not there is missing", arguments: StoreDriver.allCases)
    func missing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let other = try bench.put("a")
        let id = ObjectID.random()
        #expect(throws: ObjectError.missing) { try bench.store.open(id) }
        #expect(throws: ObjectError.missing) { try bench.store.source(id, name: "a") }
        #expect(throws: ObjectError.missing) { try bench.store.copy(id, to: .random()) }
        #expect(try !bench.store.remove(id))
        #expect(try bench.ids() == [other])
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("A source has its name, and the object's bytes", arguments: StoreDriver.allCases)
    func source(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let source = try bench.store.source(try bench.put("abc"), name: "a.pdf")
        #expect(source.name == "a.pdf" && source.byteCount == 3 && source.becomesSecure)
        #expect(try source.descriptor.bytes(at: 0, count: 9) == Array("abc".utf8))
    }

    @Test("A copy has the bytes under an identity of its own, and outlives its source", arguments: StoreDriver.allCases)
    func copying(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let text = String(repeating: "0123456789", count: 60_000)
        let id = try bench.put(text)
        let copy = ObjectID.random()
        try bench.store.copy(id, to: copy)
        #expect(copy != id)
        #expect(try bench.ids() == [id, copy])
        #expect(try bench.store.remove(id))
        #expect(try bench.text(of: copy) == text)
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("A removal says whether there was an object, and can be repeated", arguments: StoreDriver.allCases)
    func removing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (first, second) = (try bench.put("a"), try bench.put("b"))
        #expect(try bench.store.remove(first))
        #expect(try !bench.other.remove(first))
        #expect(try bench.ids() == [second])
        #expect(try bench.text(of: first) == nil)
    }

    @Test("A reader of a removed object reads on what it has opened", arguments: StoreDriver.allCases)
    func removedWhileRead(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let id = try bench.put("old")
        let reader = try bench.store.open(id)
        try bench.store.remove(id)
        #expect(try reader.bytes() == Array("old".utf8))
    }

    @Test("One caller at a time has the turn at sweeping", arguments: StoreDriver.allCases)
    func sweepingTurn(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        var turn = try bench.store.takeSweepingTurn()
        #expect(turn != nil)
        #expect(try bench.other.takeSweepingTurn() == nil)
        // Objects that are removed and stored meanwhile do not need it.
        #expect(try bench.store.remove(try bench.put("a")))
        turn = nil
        #expect(try bench.other.takeSweepingTurn() != nil)
    }

    @Test("A walk comes by every object once, and by nothing else", arguments: StoreDriver.allCases)
    func walking(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let ids = try (0..<20).map { try bench.put(String(repeating: "x", count: $0)) }
        let file = try bench.store.begin()
        try file.append([1, 2, 3])
        try file.sync()
        let found = try bench.other.all()
        #expect(found.count == ids.count)
        #expect(
            Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.byteCount) })
                == Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, Int64($0.offset)) }))
    }
}
