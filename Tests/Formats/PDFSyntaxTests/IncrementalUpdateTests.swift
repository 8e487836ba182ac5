import Formats
import PDFBuilding
import TestDeadline
import Testing

@Suite("An incremental update", .deadline)
struct IncrementalUpdateTests {
    @Test("replaces objects and leaves the others as they are", arguments: [0, 100])
    func replacement(junk: Int) throws {
        var builder = PDFBuilder()
        for body in ["[1]", "[2]", "[3]"] { _ = builder.add(body) }
        let file = [UInt8](repeating: 0x2A, count: junk) + builder.bytes(root: 1, "/Info 2 0 R")
        let objects = try #require(try IndirectObjects(Source(file)))
        let update = try #require(
            IncrementalUpdate([(3, Array("[4]".utf8)[...])], of: objects, after: Int64(file.count)))
        var updated = try #require(try IndirectObjects(Source(file + update.bytes)))
        let values = try (1...3).map { try updated.object($0)?.elements?.first?.integer }
        #expect(values == [1, 2, 4])
        #expect(updated.trailer["/Info"]?.reference == 2)
    }

    @Test("corrects the indices of the objects in an object stream")
    func indices() throws {
        let file = PDFBuilder.compact(pageEntries: "/Rotate 90", "", indices: [2, 0, 1])
        var objects = try #require(try IndirectObjects(Source(file)))
        // The object stream is known to be misindexed once an object was looked up.
        _ = try objects.object(3)
        let update = try #require(IncrementalUpdate([], of: objects, after: Int64(file.count)))
        let text = String(decoding: update.bytes, as: UTF8.self)
        #expect(text.contains("/Index [1 3]"))
        var updated = try #require(try IndirectObjects(Source(file + update.bytes)))
        #expect(try updated.object(3)?.dictionary?["/Rotate"]?.integer == 90)
        #expect(IncrementalUpdate([], of: updated, after: Int64(file.count + update.bytes.count)) == nil)
    }

    @Test("does not exist where there is nothing to change")
    func nothing() throws {
        var builder = PDFBuilder()
        let root = builder.add("<<>>")
        let file = builder.bytes(root: root)
        let objects = try #require(try IndirectObjects(Source(file)))
        #expect(IncrementalUpdate([], of: objects, after: Int64(file.count)) == nil)
    }
}
