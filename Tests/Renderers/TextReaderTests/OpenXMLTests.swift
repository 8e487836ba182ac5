import ArchiveBuilding
import Media
import TestDeadline
import Testing

@Suite("Texts of Word documents in Office Open XML", .deadline)
struct OpenXMLTests {
    private func text(_ body: String, styles: String? = nil) throws -> DocumentText {
        var package = WordPackage(body)
        package.styles = styles
        return try Reading.text(package.bytes(), as: .wordOpenXML)
    }

    private func lines(_ body: String) throws -> [String] { try text(body).paragraphs.map(\.text) }

    @Test("Runs are joined; tabs, breaks and hyphens are characters; a paragraph's tab stops are none")
    func runs() throws {
        let body = """
            <w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve"> b</w:t>
            <w:br/></w:r><w:hyperlink r:id="x"><w:r><w:t>&lt;Ж&#233;&gt;</w:t></w:r></w:hyperlink><w:r><w:noBreakHyphen/>
            <w:softHyphen/><w:t>c</w:t><w:cr/></w:r></w:p><w:p/>
            """
        #expect(try lines(body) == ["a\t b\n<Жé>-c\n", ""])
    }

    @Test("Deleted, moved and hidden text and the codes of fields are left out; inserted text and results stay")
    func leftOut() throws {
        let body = """
            <w:p><w:del><w:r><w:delText>x</w:delText><w:t>y</w:t></w:r></w:del><w:ins><w:r><w:t>in</w:t></w:r></w:ins>
            <w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>to</w:t></w:r></w:moveTo>
            <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown</w:t></w:r></w:p>
            <w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF 1</w:instrText></w:r>
            <w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>inner</w:t></w:r>
            <w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>result</w:t></w:r>
            <w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="PAGE"><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>
            """
        #expect(try lines(body) == ["intoshown", "result7"])
    }

    @Test("A field without an end hides nothing")
    func openField() throws {
        let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>"
        #expect(try lines("<w:p>\(begin)<w:r><w:t>a</w:t></w:r></w:p>" + WordPackage.paragraph("b")) == ["a", "b"])
    }

    @Test("A paragraph whose mark is deleted goes on in the next")
    func deletedMark() throws {
        let body =
            WordPackage.paragraph("one ", "<w:rPr><w:del w:id=\"1\"/></w:rPr>") + WordPackage.paragraph("two")
            + WordPackage.paragraph("last", "<w:rPr><w:del/></w:rPr>")
        #expect(try lines(body) == ["one two", "last"])
    }

    @Test("Headings by outline level, by style and by the style that it is based on; list items by their numbering")
    func styles() throws {
        let styles = """
            <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
            <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>
            <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>
            <w:style w:type="paragraph" w:styleId="Level"><w:name w:val="L"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
            <w:style w:type="paragraph" w:styleId="Bullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
            <w:style w:type="paragraph" w:styleId="Ring"><w:basedOn w:val="Ring2"/></w:style><w:style w:styleId="Ring2"><w:basedOn w:val="Ring"/></w:style>
            <w:style w:type="paragraph" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>
            """
        func styled(_ name: String, _ more: String = "") -> String {
            WordPackage.paragraph(name, "<w:pStyle w:val=\"\(name)\"/>\(more)")
        }
        let body =
            styled("berschrift1") + styled("Mine") + styled("Level") + styled("Bullet") + styled("Ring")
            + styled("Gone")
            + styled("Normal", "<w:outlineLvl w:val=\"0\"/>") + styled("Level", "<w:outlineLvl w:val=\"9\"/>")
            + styled("Normal", "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>")
            + styled("Bullet", "<w:numPr><w:numId w:val=\"0\"/></w:numPr>")
        let text = try text(body, styles: styles)
        #expect(
            text.paragraphs.map(\.style) == [
                .heading, .heading, .heading, .listItem, .body, .body, .heading, .body, .listItem, .body,
            ])
        #expect(text.paragraphs[5].text == "")
        let shown =
            "<w:p><w:pPr><w:pStyle w:val=\"Gone\"/></w:pPr><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>shown</w:t></w:r></w:p>"
        #expect(try self.text(shown, styles: styles).paragraphs.map(\.text) == ["shown"])
    }

    @Test("Cells have the numbers of their table, row and column; nested tables have their own")
    func tables() throws {
        func cell(_ content: String, span: Int = 1) -> String {
            "<w:tc><w:tcPr><w:gridSpan w:val=\"\(span)\"/></w:tcPr>\(content)</w:tc>"
        }
        let inner =
            "<w:tbl><w:tr>\(cell(WordPackage.paragraph("inner")))</w:tr></w:tbl>" + WordPackage.paragraph("behind")
        let body =
            "<w:tbl><w:tr>\(cell(WordPackage.paragraph("a"), span: 2))\(cell(WordPackage.paragraph("b")))</w:tr>"
            + "<w:tr>\(cell(inner))</w:tr></w:tbl>" + WordPackage.paragraph("out")
        let text = try text(body)
        #expect(text.paragraphs.map(\.text) == ["a", "b", "inner", "behind", "out"])
        #expect(
            text.paragraphs.map { $0.cell.map { [$0.table, $0.row, $0.column] } } == [
                [0, 0, 0], [0, 0, 2], [1, 0, 0], [0, 1, 0], nil,
            ])
        #expect(text.text == "a\tb\ninner\nbehind\nout")
    }

    @Test("A text box is read once, behind the paragraph that it is anchored in")
    func boxes() throws {
        let box = "<w:txbxContent>\(WordPackage.paragraph("box"))</w:txbxContent>"
        let body = """
            <w:p><w:r><w:t>before </w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>\(box)</w:drawing></mc:Choice>
            <mc:Fallback><w:pict><v:textbox>\(box)</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>after</w:t></w:r></w:p>
            <w:p><w:r><w:pict><v:textbox>\(box)</v:textbox></w:pict></w:r></w:p>
            """
        #expect(try lines(body) == ["before after", "box", "box"])
    }

    @Test("Headers that a section shows come first, notes and footers behind the body, each text once")
    func headers() throws {
        var package = WordPackage(
            WordPackage.paragraph("body")
                + "<w:sectPr><w:headerReference r:id=\"p0\"/><w:headerReference r:id=\"p1\" w:type=\"first\"/>"
                + "<w:headerReference r:id=\"p4\" w:type=\"even\"/><w:footerReference r:id=\"p2\"/></w:sectPr>")
        package.parts = [
            ("header1.xml", "header", WordPackage.part("hdr", WordPackage.paragraph("name@example.org"))),
            ("header2.xml", "header", WordPackage.part("hdr", WordPackage.paragraph("not shown"))),
            ("footer1.xml", "footer", WordPackage.part("ftr", WordPackage.paragraph("page") + "<w:p/>")),
            (
                "footnotes.xml", "footnotes",
                WordPackage.part(
                    "footnotes",
                    "<w:footnote w:type=\"separator\">\(WordPackage.paragraph("-"))</w:footnote><w:footnote>\(WordPackage.paragraph("note"))</w:footnote>"
                )
            ),
            ("header3.xml", "header", WordPackage.part("hdr", WordPackage.paragraph("name@example.org"))),
        ]
        #expect(try Reading.lines(package.bytes(), as: .wordOpenXML) == ["name@example.org", "body", "page", "note"])
    }

    @Test("Tables of a header are others than those of the body")
    func tablesOfParts() throws {
        func table(_ text: String) -> String {
            "<w:tbl><w:tr><w:tc>\(WordPackage.paragraph(text))</w:tc></w:tr></w:tbl>"
        }
        var package = WordPackage(table("body") + "<w:sectPr><w:headerReference r:id=\"p0\"/></w:sectPr>")
        package.parts = [("header1.xml", "header", WordPackage.part("hdr", table("name") + table("place")))]
        let text = try Reading.text(package.bytes(), as: .wordOpenXML)
        #expect(text.paragraphs.map(\.text) == ["name", "place", "body"])
        #expect(text.paragraphs.map(\.cell?.table) == [0, 1, 2])
    }

    @Test("Names of any prefix, and the namespace of the strict form, are understood")
    func namespaces() throws {
        let strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
        let files = [
            ZipBuilder.File(
                "word/document.xml",
                "<document xmlns=\"\(strict)\"><body><p><r><t>strict</t></r></p></body></document>")
        ]
        #expect(try Reading.lines(ZipBuilder(files).bytes(), as: .wordOpenXML) == ["strict"])
    }
}
