import Formats
import PDFBuilding
import TestDeadline
import Testing

@Suite("The indirect objects of a file", .deadline)
struct IndirectObjectsTests {
    private static func text(_ object: PDFObject?) -> String? {
        object.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("are found by a cross-reference table, junk before the header notwithstanding", arguments: [0, 1000])
    func table(junk: Int) throws {
        var builder = PDFBuilder()
        let array = builder.add("[1 2]")
        let reference = builder.add("\(array) 0 R")
        let stream = builder.addStream("abc", "/A(b)")
        let file = [UInt8](repeating: 0x2A, count: junk) + builder.bytes(root: array, "/Info 9 0 R")
        var objects = try #require(try IndirectObjects(Source(file)))
        #expect(objects.trailer["/Root"]?.reference == array)
        #expect(Self.text(try objects.object(array)) == "[1 2]")
        #expect(Self.text(try objects.resolved(PDFObject("\(array) 0 R"))) == "[1 2]")
        #expect(Self.text(try objects.object(reference)) == "1 0 R")
        #expect(try objects.object(99) == nil)
        #expect(try objects.stream(stream)?.entries["/A"] != nil)
        #expect(try objects.stream(array) == nil)
        #expect(try objects.decodedData(ofStream: stream) == Array("abc".utf8))
    }

    @Test("are found in object streams, by a cross-reference stream", arguments: [nil, 0, 1, 2, 3, 4] as [UInt8?])
    func compressed(predictor: UInt8?) throws {
        let file = PDFBuilder.compact(pageEntries: "/Rotate 90", "q Q", filter: predictor)
        var objects = try #require(try IndirectObjects(Source(file)))
        #expect(try objects.object(1)?.dictionary?["/Pages"]?.reference == 2)
        #expect(try objects.object(3)?.dictionary?["/Rotate"]?.integer == 90)
        #expect(try objects.decodedData(ofStream: 6) == Array("q Q".utf8))
        #expect(try objects.stream(3) == nil)
    }

    @Test(
        "are found by their numbers where the cross-reference stream states other indices",
        arguments: [[0, 1, 0], [0, 0, 2], [2, 0, 1]])
    func misindexed(indices: [Int]) throws {
        let file = PDFBuilder.compact(pageEntries: "/Rotate 90", "", indices: indices)
        var objects = try #require(try IndirectObjects(Source(file)))
        #expect(try objects.object(3)?.dictionary?["/Rotate"]?.integer == 90)
        #expect(try objects.object(1)?.dictionary?["/Type"]?.name == "/Catalog")
    }

    @Test(
        "are not read where a cross-reference section is missing or damaged",
        arguments: ["startxref\n7\n", "startxref\n-1\n", "startxref\n9223372036854775807\n", "startxref\n", "start\n"])
    func damaged(end: String) throws {
        var builder = PDFBuilder()
        let root = builder.add("<<>>")
        let text = String(decoding: builder.bytes(root: root), as: UTF8.self).replacing(/startxref\n\d+\n/, with: end)
        #expect(try IndirectObjects(Source(Array(text.utf8))) == nil)
    }

    @Test("are read once where sections name each other as the previous one")
    func sectionLoop() throws {
        var builder = PDFBuilder()
        let root = builder.add("<</A 1>>")
        let file = builder.bytes(root: root)
        let offset = String(decoding: file, as: UTF8.self).firstMatch(of: /startxref\n(\d+)/)!.output.1
        var objects = try #require(try IndirectObjects(Source(builder.bytes(root: root, "/Prev \(offset)"))))
        #expect(try objects.object(root)?.dictionary?["/A"]?.integer == 1)
    }
}
