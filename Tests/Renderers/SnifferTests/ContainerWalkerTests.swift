import Formats
import Media
import TestDeadline
import Testing

@Suite("Walkers of boxes and elements", .deadline)
struct ContainerWalkerTests {
    private func boxes(_ bytes: [UInt8], limit: Int = 1000) throws -> [ISOBox] {
        var walker = ISOBoxWalker(try BoundedSource(source(bytes)), limit: limit)
        var boxes: [ISOBox] = []
        while let box = try walker.next() { boxes.append(box) }
        return boxes
    }

    @Test("Boxes of 32-bit, 64-bit and no size follow each other")
    func boxSizes() throws {
        let large = UInt32(1).big + ascii("mdat") + UInt64(20).big + zeros(4)
        let found = try boxes(box("free", zeros(2)) + large + zeros(4) + ascii("moov") + zeros(9))
        #expect(found.map(\.type) == ["free", "mdat", "moov"])
        #expect(found.map(\.payload) == [8..<10, 26..<30, 38..<47])
        #expect(found.allSatisfy { !$0.isCut })
    }

    @Test("A box that exceeds the file is cut, and not found by its type")
    func cutBox() throws {
        let bytes = Array(box("moov", zeros(20)).dropLast(5))
        let found = try boxes(bytes)
        #expect(found.map(\.isCut) == [true] && found[0].payload == 8..<23)
        var walker = ISOBoxWalker(try BoundedSource(source(bytes)))
        #expect(try walker.next("moov") == nil)
    }

    @Test("A size smaller than its header ends the walk", arguments: [UInt32(2), 7])
    func smallSize(size: UInt32) throws {
        #expect(try boxes(box("free") + size.big + ascii("moov") + zeros(20)).map(\.type) == ["free"])
        #expect(try boxes(UInt32(1).big + ascii("moov") + UInt64(size).big + zeros(20)).isEmpty)
    }

    @Test("No more boxes are visited than the limit allows")
    func boxLimit() throws {
        #expect(try boxes((0..<10).flatMap { _ in box("free") }, limit: 4).count == 4)
    }

    private func elements(_ bytes: [UInt8]) throws -> [EBMLElement] {
        var walker = EBMLWalker(try BoundedSource(source(bytes)))
        var elements: [EBMLElement] = []
        while let element = try walker.next() { elements.append(element) }
        return elements
    }

    @Test("Elements have their ID with its marker, and their data without their header")
    func elementHeaders() throws {
        let found = try elements([0xEC, 0x81, 0, 0x42, 0x82, 0x40, 0x02, 7, 8])
        #expect(found.map(\.id) == [0xEC, MatroskaID.docType])
        #expect(found.map(\.data) == [2..<3, 7..<9])
        #expect(found.map(\.isComplete) == [true, true])
    }

    @Test(
        "Elements of an unknown or too large size reach to the end and are incomplete", arguments: [UInt8(0xFF), 0x90])
    func incompleteElement(size: UInt8) throws {
        let found = try elements([0xEC, size, 1, 2, 3])
        #expect(found.map(\.data) == [2..<5] && found.map(\.isComplete) == [false])
    }

    @Test("At most 256 elements are visited, and invalid headers end the walk")
    func elementLimit() throws {
        #expect(try elements((0..<300).flatMap { _ in [0xEC, 0x80] as [UInt8] }).count == 256)
        #expect(try elements([0xEC, 0x80, 0x00, 0x80, 0xEC, 0x80]).count == 1)
        #expect(try elements([0xEC, 0x00, 0x80]).isEmpty)
    }

    @Test("Unsigned integers have one to eight bytes")
    func unsignedIntegers() throws {
        let bytes: [UInt8] = [0xD7, 0x82, 1, 2, 0xD7, 0x80, 0xD7, 0x89] + zeros(9)
        let bounded = try BoundedSource(source(bytes))
        let values = try elements(bytes).map { try bounded.unsignedInteger($0) }
        #expect(values == [258, nil, nil])
    }

    @Test("A spent budget ends reading as the end of the file does")
    func budget() throws {
        let bounded = try BoundedSource(source(zeros(200_000)), byteLimit: 100, readLimit: 2)
        #expect(try bounded.bytes(at: 100_000, count: 101) == nil)
        #expect(try bounded.bytes(at: 100_000, count: 40) != nil)
        #expect(try bounded.bytes(at: 100_000, count: 40) != nil)
        #expect(try bounded.bytes(at: 100_000, count: 1) == nil)
        #expect(try bounded.bytes(at: 0, count: 40) != nil)
    }
}
