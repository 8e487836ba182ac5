import Linux
import Media
import Objects
import TestDeadline
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("Files arrive aside, and become objects whole", .deadline)
struct ReceivingTests {
    @Test(
        "A file is no object until it is committed, and then has its bytes, digest and size",
        arguments: StoreDriver.allCases)
    func committing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let file = try bench.store.begin()
        #expect(file.byteCount == 0)
        try file.append(Array("a".utf8))
        try file.append([])
        try file.append(Array("bc".utf8))
        #expect(file.byteCount == 3)
        #expect(try bench.paths() == [])
        #expect(try bench.text(at: "u/resume/1_a.pdf") == nil)
        let stored = try file.commit(to: .of("u/resume/1_a.pdf"), replacing: false)
        // FIPS 180-4's example.
        #expect(stored.digest.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(stored.byteCount == 3 && stored.path.text == "u/resume/1_a.pdf")
        #expect(try bench.text(at: "u/resume/1_a.pdf") == "abc")
        let status = try bench.other.status(of: stored.path)
        #expect(status == ObjectStatus(path: stored.path, byteCount: 3, modified: stored.modified))
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("An empty file becomes an empty object", arguments: StoreDriver.allCases)
    func empty(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let stored = try bench.put("", at: "u/a")
        #expect(stored.digest == SHA256.digest(of: [UInt8]()) && stored.byteCount == 0)
        #expect(try bench.text(at: "u/a") == "")
    }

    @Test(
        "An object is replaced only on demand, and the refused file can go elsewhere", arguments: StoreDriver.allCases)
    func taken(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("old", at: "u/a")
        let file = try bench.store.begin()
        try file.append(Array("new".utf8))
        #expect(throws: ObjectError.taken) { try file.commit(to: .of("u/a"), replacing: false) }
        #expect(try bench.text(at: "u/a") == "old")
        _ = try file.commit(to: .of("u/b"), replacing: false)
        #expect(try bench.text(at: "u/b") == "new")
        try bench.put("newer", at: "u/a", replacing: true)
        #expect(try bench.text(at: "u/a") == "newer")
        #expect(try bench.paths() == ["u/a", "u/b"])
    }

    @Test("A reader of a replaced or removed object reads on what it has opened", arguments: StoreDriver.allCases)
    func replacedWhileRead(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.put("old", at: "u/a")
        let reader = try bench.store.open(.of("u/a"))
        try bench.put("newer", at: "u/a", replacing: true)
        #expect(try reader.bytes() == Array("old".utf8))
        let second = try bench.store.open(.of("u/a"))
        try bench.store.remove(.of("u/a"))
        #expect(try second.bytes() == Array("newer".utf8))
    }

    @Test("A discarded file leaves nothing, and takes nothing more", arguments: StoreDriver.allCases)
    func discarding(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let file = try bench.store.begin()
        try file.append([1, 2, 3])
        try file.discard()
        try file.discard()
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
        #expect(throws: ObjectError.missing) { try file.append([4]) }
        #expect(throws: ObjectError.missing) { try file.sync() }
        #expect(throws: ObjectError.missing) { try file.prefix(1) }
        #expect(throws: ObjectError.missing) { try file.source(name: "a") }
        #expect(throws: ObjectError.missing) { try file.commit(to: .of("a"), replacing: false) }
        #expect(throws: ObjectError.missing) { try bench.store.resume(file.id) }
    }

    @Test("What arrived can be looked at: first bytes, and all as a source", arguments: StoreDriver.allCases)
    func looking(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let file = try bench.store.begin()
        #expect(try file.prefix(10) == [])
        try file.append(Array("%PDF-1.7".utf8))
        #expect(try file.prefix(4) == Array("%PDF".utf8))
        #expect(try file.prefix(100) == Array("%PDF-1.7".utf8))
        #expect(try file.source(name: "a.pdf").descriptor.bytes(at: 0, count: 99) == Array("%PDF-1.7".utf8))
        try file.append(Array(" more".utf8))
        let digest = try file.seal()
        #expect(try digest == file.seal())
        let source = try file.source(name: "a.pdf")
        #expect(source.name == "a.pdf" && source.byteCount == 13)
        #expect(source.becomesSecure, "a sealed file need not be copied")
        #expect(try file.commit(to: .of("u/a"), replacing: false).digest == digest)
        #expect(try bench.store.source(.of("u/a")).becomesSecure)
    }

    @Test("Of 16 threads that commit to one path one wins, and its object is whole", arguments: StoreDriver.allCases)
    func racing(driver: StoreDriver) async throws {
        let bench = try StoreBench(driver)
        let winners = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<16 {
                group.addTask {
                    (try? bench.put(String(repeating: "\(number),", count: 10_000), at: "u/t/a")) == nil ? nil : number
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(winners.count == 1)
        #expect(try bench.text(at: "u/t/a") == String(repeating: "\(winners[0]),", count: 10_000))
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }
}
