import Formats
import PDFBuilding
import TestDeadline
import Testing

@Suite("A page tree", .deadline)
struct PageTreeTests {
    /// Objects from number 1 on; the first is the root of the tree.
    private static func tree(_ bodies: String...) throws -> (PageTree?, IndirectObjects) {
        var builder = PDFBuilder()
        for body in bodies { _ = builder.add(body) }
        let catalogue = builder.add("<</Pages 1 0 R>>")
        var objects = try #require(try IndirectObjects(Source(builder.bytes(root: catalogue))))
        let entries = try #require(try objects.object(catalogue)?.dictionary)
        return (try PageTree(entries, &objects), objects)
    }

    @Test("leads to a page through nodes at several depths, and to the attributes that the page inherits")
    func pages() throws {
        let (tree, read) = try Self.tree(
            "<</Kids[2 0 R 3 0 R 6 0 R]/Count 4/Rotate 90/MediaBox[0 0 1 1]>>", "<</A 0>>",
            "<</Kids[4 0 R 5 0 R]/Count 2/Rotate 180>>", "<</A 1>>", "<</A 2/Rotate 0>>", "<</A 3>>")
        var objects = read
        let pages = try (0..<5).map { try tree?.page(at: $0, &objects) }
        #expect(pages.map { $0?.entries["/A"]?.integer } == [0, 1, 2, 3, nil])
        #expect(pages.map { $0?.number } == [2, 4, 5, 6, nil])
        #expect(pages.map { $0?.attribute("/Rotate")?.integer } == [90, 180, 0, 90, nil])
        #expect(pages[2]?.attribute("/MediaBox")?.elements?.count == 4)
        #expect(pages[2]?.attribute("/CropBox") == nil)
    }

    @Test("counts the pages that it leads to, whatever its root states", arguments: ["", "/Count 9", "/Count -1"])
    func counting(count: String) throws {
        let (tree, read) = try Self.tree(
            "<</Kids[2 0 R 3 0 R 3 0 R 1 0 R 99 0 R]\(count)>>", "<<>>", "<</Kids[4 0 R 4 0 R]>>", "<<>>")
        var objects = read
        #expect(try tree?.countedPages(&objects) == 3)
        #expect(tree?.statedCount == (count.isEmpty ? nil : count.contains("9") ? 9 : -1))
    }

    @Test("that contains itself ends the search for a page")
    func loop() throws {
        let (tree, read) = try Self.tree("<</Kids[1 0 R 1 0 R]/Count 2>>")
        var objects = read
        #expect(try tree?.page(at: 0, &objects) == nil)
        #expect(try tree?.countedPages(&objects) == 0)
    }

    @Test("does not exist without /Kids")
    func noKids() throws {
        #expect(try Self.tree("<</Count 2>>").0 == nil)
    }
}
