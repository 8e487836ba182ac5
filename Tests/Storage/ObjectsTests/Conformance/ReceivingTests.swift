import Hashing
import Linux
import Media
import Objects
import SourceFiles
import TestDeadline
import Testing

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
        #expect(try bench.ids().isEmpty)
        #expect(try bench.text(of: file.id) == nil)
        // FIPS 180-4's example.
        #expect(try file.seal().hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        try file.commit()
        #expect(try bench.text(of: file.id) == "abc")
        #expect(try bench.other.all().map(\.byteCount) == [3])
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
    }

    @Test("An empty file becomes an empty object", arguments: StoreDriver.allCases)
    func empty(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let file = try bench.store.begin()
        #expect(try file.seal() == SHA256.digest(of: [UInt8]()))
        try file.commit()
        #expect(try bench.text(of: file.id) == "")
    }

    @Test("A file that a restore brings back takes the place of a damaged one", arguments: StoreDriver.allCases)
    func restored(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let id = try bench.put("damaged")
        try bench.put("sound", as: id)
        #expect(try bench.text(of: id) == "sound")
        #expect(try bench.ids() == [id])
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
        #expect(throws: ObjectError.missing) { try file.commit() }
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
        try file.commit()
        #expect(try bench.store.source(file.id, name: "a").becomesSecure)
    }
}
