import Hashing
import Media
import Objects
import TestDeadline
import Testing

@Suite("Incoming files go on after an interruption", .deadline)
struct ResumingTests {
    private static let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    /// Sends the bytes from `start` to `end` to a file, in uneven pieces.
    private func send(_ start: Int, _ end: Int, to file: any IncomingObject) throws {
        var (position, step) = (start, 1)
        while position < end {
            let next = min(end, position + step)
            try file.append(Array(Self.bytes[position..<next]))
            (position, step) = (next, step * 3 % 100_003 + 1)
        }
    }

    @Test(
        "A file that was closed is resumed where it ended, by either process, and its digest is that of all bytes",
        arguments: StoreDriver.allCases,
        [[700_000], [0, 700_000], [1, 700_000], [262_144, 262_144, 600_001, 700_000]])
    func resumed(driver: StoreDriver, cuts: [Int]) throws {
        let bench = try StoreBench(driver)
        let first = try bench.store.begin()
        let id = first.id
        try first.close()
        var position = 0
        for (index, cut) in cuts.enumerated() {
            let file = try (index % 2 == 0 ? bench.other : bench.store).resume(id)
            #expect(file.id == id && file.byteCount == Int64(position))
            try send(position, cut, to: file)
            if index == 1 { try file.sync() }
            position = cut
            try file.close()
            #expect(throws: ObjectError.missing) { try file.append([1]) }
        }
        let last = try bench.store.resume(id)
        #expect(try last.seal() == SHA256.digest(of: Self.bytes) && last.byteCount == 700_000)
        try last.commit()
        #expect(try bench.store.open(id).bytes() == Self.bytes)
        #expect(throws: ObjectError.missing) { try bench.store.resume(id) }
    }

    @Test(
        "One holder at a time: others are told that the file is busy, until it is released",
        arguments: StoreDriver.allCases)
    func exclusive(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        var file: (any IncomingObject)? = try bench.store.begin()
        let id = file!.id
        try file!.append([1])
        try file!.sync()
        #expect(throws: ObjectError.busy) { try bench.store.resume(id) }
        #expect(throws: ObjectError.busy) { try bench.other.resume(id) }
        #expect(throws: ObjectError.busy) { try bench.other.removeIncoming(id, untouchedFor: .zero) }
        #expect(try bench.other.incoming(id).byteCount == 1, "looking needs no turn")
        _ = try file!.seal()
        #expect(throws: ObjectError.busy) { try bench.other.resume(id) }
        try file!.close()
        file = try bench.other.resume(id)
        #expect(file!.byteCount == 1)
        #expect(throws: ObjectError.busy) { try bench.store.resume(id) }
    }

    @Test("A sealed file that was closed can be committed by the next holder", arguments: StoreDriver.allCases)
    func sealedBefore(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let file: (any IncomingObject)? = try bench.store.begin()
        let id = file!.id
        try file!.append(Array("abc".utf8))
        let digest = try file!.seal()
        try file!.close()
        let next = try bench.other.resume(id)
        #expect(try next.seal() == digest)
        try next.commit()
        #expect(try bench.text(of: id) == "abc")
    }

    @Test("An unknown file is missing", arguments: StoreDriver.allCases)
    func unknown(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        #expect(throws: ObjectError.missing) { try bench.store.resume(.random()) }
        #expect(throws: ObjectError.missing) { try bench.store.incoming(.random()) }
        #expect(try !bench.store.removeIncoming(.random(), untouchedFor: .zero))
    }

    @Test(
        "Abandoned files are found by their age, and removed only if nothing arrived meanwhile",
        arguments: StoreDriver.allCases)
    func sweeping(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        var file: (any IncomingObject)? = try bench.store.begin()
        let id = file!.id
        try file!.append([1, 2, 3])
        try file!.close()
        file = nil
        let found = try bench.other.incoming(untouchedFor: .zero)
        #expect(found.map(\.id) == [id] && found.map(\.byteCount) == [3])
        #expect(try bench.other.incoming(among: [.random(), id, .random()]) == found)
        #expect(try bench.other.incoming(among: []) == [])
        #expect(try bench.other.incoming(untouchedFor: .seconds(3600)) == [])
        #expect(try !bench.other.removeIncoming(id, untouchedFor: .seconds(3600)))
        #expect(try bench.store.resume(id).byteCount == 3)
        #expect(try bench.other.removeIncoming(id, untouchedFor: .zero))
        #expect(try bench.store.incoming(untouchedFor: .zero) == [])
        #expect(throws: ObjectError.missing) { try bench.store.resume(id) }
    }

    @Test("Identities are 32 hexadecimal digits, and no path")
    func names() {
        #expect(ObjectID(rawValue: ObjectID.random().rawValue) != nil)
        #expect(ObjectID.random() != ObjectID.random())
        for text in ["", "../objects/00/a", String(repeating: "0", count: 31), String(repeating: "A", count: 32)] {
            #expect(ObjectID(rawValue: text) == nil)
        }
    }

    @Test(
        "A file may be begun by who continues with it, once; what was committed is confirmed",
        arguments: StoreDriver.allCases)
    func making(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let id = ObjectID.random()
        let first = try bench.store.resume(id, making: true, in: nil)
        #expect(first.byteCount == 0)
        #expect(throws: ObjectError.busy) { try bench.other.resume(id, making: true, in: nil) }
        try first.append([1, 2, 3])
        try first.close()
        #expect(try !bench.store.confirm(id))
        let next = try bench.other.resume(id, making: true, in: nil)
        #expect(next.byteCount == 3)
        try next.commit()
        #expect(try bench.store.confirm(id) && bench.store.open(id).bytes() == [1, 2, 3])
        #expect(try !bench.store.confirm(.random()))
    }
}
