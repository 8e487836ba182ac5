import ArchiveBuilding
import Media
import TestDeadline
import Testing

@Suite("ZIP packages", .deadline)
struct ZipPackageTests {
    private typealias File = ZipBuilder.File

    private static let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    private static let excel = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    private static let officeRelationship =
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"

    private func contentTypes(_ overrides: [(part: String, type: String)]) -> String {
        let list = overrides.map { "<Override PartName=\"\($0.part)\" ContentType=\"\($0.type)\"/>" }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
            <Default Extension="xml" ContentType="application/xml"/>\(list)</Types>
            """
    }

    private func relationships(target: String) -> String {
        "<Relationships><Relationship Id=\"1\" Type=\"\(Self.officeRelationship)\" Target=\"\(target)\"/></Relationships>"
    }

    /// A package whose main part has this name and content type.
    private func package(_ part: String, _ type: String, further: [File] = [], isDeflated: Bool = true) -> ZipBuilder {
        ZipBuilder(
            [
                File("[Content_Types].xml", contentTypes([("/\(part)", type)]), isDeflated: isDeflated),
                File("_rels/.rels", relationships(target: part), isDeflated: isDeflated),
                File(part, "<w/>"),
            ] + further)
    }

    @Test(
        "The main part's content type distinguishes the kinds of Office documents",
        arguments: [
            (word + ".main+xml", word),
            (excel + ".main+xml", excel),
            (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.template"
            ),
            (
                "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
                "application/vnd.openxmlformats-officedocument.presentationml.slideshow"
            ),
            (
                "application/vnd.ms-word.document.macroEnabled.main+xml",
                "application/vnd.ms-word.document.macroenabled.12"
            ),
            ("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "application/vnd.ms-excel.sheet.macroenabled.12"),
            (
                "application/vnd.ms-excel.sheet.binary.macroEnabled.main",
                "application/vnd.ms-excel.sheet.binary.macroenabled.12"
            ),
            (
                "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
                "application/vnd.ms-powerpoint.presentation.macroenabled.12"
            ),
            ("application/x-unheard-of", "application/zip"),
        ])
    func kinds(contentType: String, type: String) throws {
        // The part's name is no proof: a document with macros may have the same.
        for isDeflated in [false, true] {
            #expect(try typeName(package("word/document.xml", contentType, isDeflated: isDeflated).bytes()) == type)
        }
    }

    @Test("A main part's name without its content type is not enough")
    func nameAlone() throws {
        #expect(try typeName(ZipBuilder([File("word/document.xml", "<w/>")]).bytes()) == "application/zip")
        let other = package("word/document.xml", "application/xml").bytes()
        #expect(try typeName(other) == "application/zip")
    }

    @Test("A declared main part must exist")
    func missingPart() throws {
        let file = ZipBuilder([
            File("[Content_Types].xml", contentTypes([("/word/document.xml", Self.word + ".main+xml")])),
            File("_rels/.rels", relationships(target: "word/document.xml")),
        ])
        #expect(try typeName(file.bytes()) == "application/zip")
    }

    @Test("The relationship chooses the main part, not the list of types")
    func relationshipDecides() throws {
        let types = contentTypes([
            ("/word/decoy.xml", Self.word + ".main+xml"),
            ("/word/real.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
        ])
        let file = ZipBuilder([
            File("[Content_Types].xml", types), File("_rels/.rels", relationships(target: "/word/real.xml")),
            File("word/decoy.xml"), File("word/real.xml"),
        ])
        #expect(try typeName(file.bytes()) == "application/vnd.ms-word.document.macroenabled.12")
    }

    @Test("Declarations in XML comments do not count")
    func comment() throws {
        let types =
            "<!-- " + contentTypes([("/word/document.xml", Self.word + ".main+xml")]) + " -->"
            + contentTypes([("/word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml")])
        let file = ZipBuilder([
            File("[Content_Types].xml", types), File("_rels/.rels", relationships(target: "word/document.xml")),
            File("word/document.xml"),
        ])
        #expect(try typeName(file.bytes()) == "application/vnd.ms-word.document.macroenabled.12")
    }

    @Test("A document with a macro project is of a type with macros, whatever its content type")
    func macros() throws {
        let file = package("word/document.xml", Self.word + ".main+xml", further: [File("word/vbaProject.bin", "x")])
        #expect(try typeName(file.bytes()) == "application/vnd.ms-word.document.macroenabled.12")
    }

    @Test("A package with two lists of content types is a plain ZIP archive")
    func repeatedList() throws {
        let file = package(
            "word/document.xml", Self.word + ".main+xml",
            further: [File("[content_types].xml", contentTypes([]))])
        #expect(try typeName(file.bytes()) == "application/zip")
    }

    @Test("A content type may belong to an extension, and the list may be in UTF-16")
    func otherForms() throws {
        let types = "<Types><Default Extension=\"xml\" ContentType=\"\(Self.word).main+xml\"/></Types>"
        var list = File("[Content_Types].xml")
        list.content = [0xFF, 0xFE] + littleUTF16(types)
        let file = ZipBuilder([
            list, File("_rels/.rels", relationships(target: "word/document.xml")), File("word/document.xml"),
        ])
        #expect(try typeName(file.bytes()) == Self.word)
    }

    @Test("A comment behind the end and data before the start do not hide the directory")
    func endOfDirectory() throws {
        var builder = package("xl/workbook.xml", Self.excel + ".main+xml")
        builder.comment = String(repeating: "c", count: 60_000)
        #expect(try typeName(builder.bytes()) == Self.excel)
        let before = ascii("PK\u{3}\u{4}") + zeros(100)
        #expect(try typeName(before + builder.bytes()) == Self.excel)
    }

    @Test("Fifty thousand pictures before the list of types do not hide it")
    func manyEntries() throws {
        let pictures = (0..<50_000).map { File("xl/media/image\($0).png") }
        let list = File("[Content_Types].xml", contentTypes([("/xl/workbook.xml", Self.excel + ".main+xml")]))
        #expect(try typeName(ZipBuilder(pictures + [list, File("xl/workbook.xml")]).bytes()) == Self.excel)
    }

    @Test("Without a central directory the local headers are read")
    func damagedDirectory() throws {
        var builder = package("xl/workbook.xml", Self.excel + ".main+xml", isDeflated: true)
        builder.hasCentralDirectory = false
        #expect(try typeName(builder.bytes()) == Self.excel)
    }

    @Test(
        "OpenDocument and EPUB declare themselves; other declarations are not believed",
        arguments: [
            ("application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
            ("application/epub+zip", "application/epub+zip"), ("application/pdf", "application/zip"),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip"),
        ])
    func declared(declaration: String, type: String) throws {
        #expect(try typeName(ZipBuilder([File("mimetype", declaration), File("content.xml", "<a/>")]).bytes()) == type)
    }

    @Test(
        "Programs and Apple's documents are recognised by their parts",
        arguments: [
            (["META-INF/MANIFEST.MF", "A.class"], "application/java-archive"),
            (["META-INF/MANIFEST.MF", "AndroidManifest.xml"], "application/vnd.android.package-archive"),
            (["Index/Document.iwa", "Index/Slide-1.iwa"], "application/vnd.apple.keynote"),
            (["a.txt"], "application/zip"),
        ])
    func parts(names: [String], type: String) throws {
        #expect(try typeName(ZipBuilder(names.map { File($0, "x") }).bytes()) == type)
    }

    @Test("The facts state that an entry is encrypted")
    func encrypted() throws {
        let facts = try sniffed(ZipBuilder([File("a.txt", "x", isEncrypted: true)]).bytes())
        #expect(facts.mediaType == .zip)
        #expect(facts.isEncrypted == true)
        #expect(try sniffed(ZipBuilder([]).bytes()).mediaType == .zip)
    }
}
