import Formats
import Linux
import Media
import PDFBuilding
import PageRenderer
import Rendering
import Testing

/// Pages that embed all their fonts.
extension PageRendererTests {
    /// A document in which object 4 is an embedded font, 5 a font that is not embedded, 6 a form that uses 5, 8 a form
    /// that draws itself.
    private static func document(resources: String, page: String = "") -> [UInt8] {
        var builder = PDFBuilder()
        _ = builder.add("<</Type/Pages/Kids[2 0 R]/Count 1/MediaBox[0 0 9 9]>>")
        _ = builder.add("<</Type/Page/Parent 1 0 R/Resources<<\(resources)>>\(page)>>")
        let root = builder.add("<</Type/Catalog/Pages 1 0 R>>")
        _ = builder.add("<</Type/Font/Subtype/TrueType/FontDescriptor<</FontFile2 7 0 R>>>>")
        _ = builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
        _ = builder.addStream("", "/Type/XObject/Subtype/Form/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>")
        _ = builder.addStream("true", "")
        _ = builder.addStream("", "/Type/XObject/Subtype/Form/Resources<</Font<</F 4 0 R>>/XObject<</X 8 0 R>>>>")
        return builder.bytes(root: root)
    }

    private static func embedsItsFonts(_ resources: String, page: String = "") throws -> Bool {
        let bytes = document(resources: resources, page: page)
        let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
        try file.write(bytes)
        return try EmbeddedFonts.cover(page: 0, of: Source(file))
    }

    @Test(
        "a page with embedded fonts alone, or without fonts, needs none of the machine",
        arguments: [
            "", "/Font<</F 4 0 R>>", "/Font<</F<</Subtype/Type0/DescendantFonts[4 0 R]>>>>",
            "/XObject<</I<</Subtype/Image>>>>/Font<</F 4 0 R>>", "/Pattern<</P<</PatternType 2>>>>",
            "/ExtGState<</G<</SMask/None>>>>",
        ])
    func fontsInFile(resources: String) throws {
        #expect(try Self.embedsItsFonts(resources))
        #expect(try Self.embedsItsFonts(resources, page: "/Annots[]"))
    }

    @Test(
        "a font that is not embedded counts wherever the page may use it, and so does an object that cannot be followed",
        arguments: [
            "/Font<</F 5 0 R>>", "/Font<</F 4 0 R/G 5 0 R>>", "/Font<</F 99 0 R>>",
            "/Font<</F<</Subtype/Type0/DescendantFonts[5 0 R]>>>>", "/Font<</F<</Subtype/Type3>>>>",
            "/XObject<</X 6 0 R>>", "/Pattern<</P 6 0 R>>", "/ExtGState<</G<</Font[5 0 R 9]>>>>",
            "/ExtGState<</G<</SMask<</G 6 0 R>>>>>>",
            // Objects that do not exist.
            "/Font 99 0 R", "/XObject 99 0 R", "/ExtGState<</G<</SMask 99 0 R>>>>",
            "/Font<</F<</Subtype/TrueType/FontDescriptor<</FontFile2 99 0 R>>>>>>",
            // A form that draws itself.
            "/XObject<</X 8 0 R>>",
        ])
    func fontsMissing(resources: String) throws {
        #expect(try !Self.embedsItsFonts(resources))
    }

    @Test("annotations have fonts of their own")
    func fontsOfAnnotations() throws {
        #expect(try !Self.embedsItsFonts("/Font<</F 4 0 R>>", page: "/Annots[<</Subtype/Widget>>]"))
    }
}
