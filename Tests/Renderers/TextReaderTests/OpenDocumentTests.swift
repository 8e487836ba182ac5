import ArchiveBuilding
import Media
import TestDeadline
import Testing

@Suite("Texts of OpenDocument texts", .deadline)
struct OpenDocumentTests {
    private static let names =
        ["office", "text", "table", "draw", "style", "form"].map {
            "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\""
        }.joined(separator: " ") + " xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\""

    static func package(_ body: String, automatic: String = "", styles: String? = nil, manifest: String? = nil)
        -> [UInt8]
    {
        var files = [
            ZipBuilder.File("mimetype", "application/vnd.oasis.opendocument.text"),
            ZipBuilder.File(
                "content.xml",
                "<office:document-content \(names)><office:automatic-styles>\(automatic)</office:automatic-styles><office:body><office:text>\(body)</office:text></office:body></office:document-content>",
                isDeflated: true),
        ]
        if let styles {
            files.append(
                ZipBuilder.File("styles.xml", "<office:document-styles \(names)>\(styles)</office:document-styles>"))
        }
        if let manifest {
            let names = "xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\""
            files.append(
                ZipBuilder.File("META-INF/manifest.xml", "<manifest:manifest \(names)>\(manifest)</manifest:manifest>"))
        }
        return ZipBuilder(files).bytes()
    }

    private func text(_ body: String, automatic: String = "") throws -> DocumentText {
        try Reading.text(Self.package(body, automatic: automatic), as: Reading.openDocument)
    }

    @Test("White space is one space; tabs, breaks and counted spaces are characters")
    func spaces() throws {
        let text = try text(
            "<text:p>  a \n  <text:span> b</text:span><text:tab/>c<text:s text:c=\"3\"/>d<text:line-break/>e<text:a>f</text:a></text:p><text:p/>"
        )
        #expect(text.paragraphs.map(\.text) == ["a b\tc   d\nef", ""])
    }

    @Test("Headings, list items, cells, boxes and notes")
    func structure() throws {
        let body = """
            <text:h text:outline-level="1">head</text:h>
            <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>
            <table:table><table:table-row><table:covered-table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row></table:table>
            <text:p>with<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>x</svg:title><svg:desc>y</svg:desc></draw:frame> anchor<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>
            <text:p>end</text:p>
            """
        let text = try text(body)
        #expect(text.paragraphs.map(\.text) == ["head", "item", "cell", "with anchor", "box", "end", "note"])
        #expect(text.paragraphs.map(\.style).prefix(3) == [.heading, .listItem, .body])
        #expect(text.paragraphs[2].cell == TextParagraph.Cell(table: 0, row: 0, column: 2))
    }

    @Test("Deleted and hidden text, comments and scripts are left out")
    func leftOut() throws {
        let body = """
            <text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
            <text:p>a<office:annotation><text:p>comment</text:p></office:annotation><text:script>run()</text:script><text:span text:style-name="T1">hidden</text:span>b</text:p>
            <text:section text:display="none"><text:p>hidden</text:p></text:section>
            <office:forms><form:form><form:text>field</form:text></form:form></office:forms>
            """
        let automatic = "<style:style style:name=\"T1\"><style:text-properties text:display=\"none\"/></style:style>"
        #expect(try text(body, automatic: automatic).paragraphs.map(\.text) == ["ab"])
    }

    @Test("Headers come first, footers last; those that are switched off are left out")
    func headers() throws {
        let styles = """
            <office:master-styles><style:master-page><style:header><text:p>name</text:p></style:header>
            <style:header-left style:display="false"><text:p>off</text:p></style:header-left><style:footer><text:p>foot</text:p></style:footer></style:master-page></office:master-styles>
            """
        let file = Self.package("<text:p>body</text:p>", styles: styles)
        #expect(try Reading.lines(file, as: Reading.openDocument) == ["name", "body", "foot"])
    }

    @Test("An encrypted document says so")
    func encrypted() throws {
        let manifest =
            "<manifest:file-entry manifest:full-path=\"content.xml\"><manifest:encryption-data/></manifest:file-entry>"
        #expect(try Reading.failure(Self.package("", manifest: manifest), as: Reading.openDocument) == .encrypted)
    }
}
