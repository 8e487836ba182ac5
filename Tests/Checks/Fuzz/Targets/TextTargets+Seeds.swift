import ArchiveBuilding

extension TextTargets {
    // MARK: DOCX

    private static let wordNames = """
        xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" \
        xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" \
        xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:v"
        """

    private static func wordDocument(_ body: String) -> String {
        "<w:document \(wordNames)><w:body>\(body)</w:body></w:document>"
    }

    private static func run(_ text: String) -> String { "<w:r><w:t>\(text)</w:t></w:r>" }

    static var openXMLParts: [[UInt8]] {
        let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let targets = [("styles", "styles.xml"), ("header", "header1.xml"), ("footnotes", "/word/footnotes.xml")]
        let relationships =
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
            + targets.map { "<Relationship Id=\"\($0)\" Type=\"\(kind)/\($0)\" Target=\"\($1)\"/>" }.joined()
            + "</Relationships>"
        let styles = """
            <w:styles \(wordNames)><w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>\
            <w:style w:styleId="H"><w:name w:val="heading 1"/><w:basedOn w:val="N"/></w:style>\
            <w:style w:styleId="L"><w:basedOn w:val="H"/><w:pPr><w:outlineLvl w:val="9"/><w:numPr><w:numId w:val="2"/>\
            </w:numPr></w:pPr></w:style><w:style w:styleId="V"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>
            """
        let paragraphs = """
            <w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>\(run("head"))</w:p>\
            <w:p><w:pPr><w:pStyle w:val="L"/></w:pPr>\(run("item"))<w:r><w:rPr><w:rStyle w:val="V"/></w:rPr><w:t>x</w:t></w:r>\
            </w:p><w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>\(run("joined"))</w:p>\
            <w:p><w:r><w:tab/><w:br/><w:fldChar w:fldCharType="begin"/><w:t>code</w:t><w:fldChar w:fldCharType="separate"/>\
            </w:r>\(run("shown"))<w:r><w:fldChar w:fldCharType="end"/></w:r><w:del>\(run("gone"))</w:del></w:p>\
            <w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p>\(run("a"))</w:p></w:tc><w:tc><w:tbl><w:tr><w:tc>\
            <w:p/></w:tc></w:tr></w:tbl><w:p>\(run("b"))</w:p></w:tc></w:tr></w:tbl>\
            <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p>\(run("box"))</w:p></w:txbxContent></mc:Choice>\
            <mc:Fallback>\(run("no"))</mc:Fallback></mc:AlternateContent></w:r></w:p>\
            <w:sectPr><w:headerReference w:type="first" r:id="header"/><w:titlePg/></w:sectPr>
            """
        let header = "<w:hdr \(wordNames)><w:p>\(run("name"))</w:p><w:p>\(run("name"))</w:p></w:hdr>"
        let notes =
            "<w:footnotes \(wordNames)><w:footnote w:type=\"separator\"/><w:footnote><w:p>\(run("note"))</w:p></w:footnote></w:footnotes>"
        let openField = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>\(run("never ends"))</w:p>"
        // Behind the first piece that is read of a part.
        let long = String(repeating: "<w:p>\(run(String(repeating: "word ", count: 40)))</w:p>", count: 300)
        return [
            [wordDocument(paragraphs), relationships, styles, header, notes], [wordDocument(openField)],
            [wordDocument(long), relationships, styles],
        ].map { Array($0.joined(separator: "\0").utf8) }
    }

    // MARK: ODT

    static var openDocumentParts: [[UInt8]] {
        let names =
            ["office", "text", "table", "draw", "style", "form", "manifest"].map {
                "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\""
            }.joined(separator: " ") + " xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\""
        func content(_ body: String) -> String {
            """
            <office:document-content \(names)><office:automatic-styles><style:style style:name="T"><style:text-properties \
            text:display="none"/></style:style></office:automatic-styles><office:body><office:text>\(body)</office:text>\
            </office:body></office:document-content>
            """
        }
        let body = """
            <text:h text:outline-level="1">head</text:h><text:list><text:list-item><text:p> item  1</text:p></text:list-item>\
            </text:list><text:p>a<text:s text:c="3"/>b<text:tab/><text:line-break/><text:span text:style-name="T">hidden\
            </text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p>\
            </text:note-body></text:note></text:p><table:table><table:table-row><table:covered-table-cell \
            table:number-columns-repeated="2"/><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row>\
            </table:table><text:p>with<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>x</svg:title>\
            </draw:frame></text:p><text:section text:display="none"><text:p>x</text:p></text:section>\
            <text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
            """
        let styles = """
            <office:document-styles \(names)><office:master-styles><style:master-page><style:header><text:p>name</text:p>\
            </style:header><style:footer style:display="false"><text:p>off</text:p></style:footer></style:master-page>\
            </office:master-styles></office:document-styles>
            """
        func manifest(_ encrypted: String) -> String {
            """
            <manifest:manifest \(names)><manifest:file-entry manifest:full-path="\(encrypted)"><manifest:encryption-data/>\
            </manifest:file-entry></manifest:manifest>
            """
        }
        let long = String(repeating: "<text:p>\(String(repeating: "word ", count: 40))</text:p>", count: 320)
        return [
            [content(body), styles, manifest("Pictures/1")], [content("<text:p/>"), "", manifest("content.xml")],
            [content(long), styles],
        ].map { Array($0.joined(separator: "\0").utf8) }
    }

    // MARK: RTF

    static var richTexts: [[UInt8]] {
        let fonts = #"{\fonttbl{\f0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}{\f3\cpg65001 D;}}"#
        let styles = #"{\stylesheet{\s1 heading 1;}{\s2\outlinelevel1 Mine;}{\*\cs3 x;}}"#
        let characters =
            #"\f1 \'cf\f2 \'83A\'93\'fa\f3 \'c3\'a9\f0 caf\'e9 \u8211?\uc2\u-10179\'3f?\u-8704 ??\emdash\~\_\{\}\\\par"#
        let tables =
            #"\trowd\intbl a\cell\pard\intbl\itap2 in\nestcell{\*\nesttableprops\nestrow}\pard\intbl b\cell\row\pard"#
        let places =
            #"{\header name\par}{\footer foot\par}a{\shp{\*\shpinst{\sp{\sn x}}{\shptxt box\par}}}{\footnote note}\par"#
        let skipped =
            #"{\*\generator x;}{\info{\title x}}{\pict\bin3 {{{}{\object{\*\objdata 00}{\result r}}{\upr{x}{\*\ud u}}"#
            + #"{\field{\*\fldinst X}{\fldrslt f}}{\v x}{\deleted x}"#
        let long = String(repeating: "word \\par ", count: 6_700)
        return [
            #"{\rtf1\ansi\ansicpg1252\deff0"# + fonts + styles
                + #"\pard\s1 head\par\pard\ls1{\listtext 1.\tab}item\par"#
                + characters + tables + places + skipped + "}",
            #"{\rtf1\mac \'8a\par\pca \'9b\line\tab"# + "\n\\\nb}", #"{\rtf1 "# + long + #"\bin3 end}"#,
            #"{\rtf1 a{\b"#,
        ].map { Array($0.utf8) }
    }

    // MARK: DOC

    static var wordFiles: [[UInt8]] {
        var whole = WordFile("head\ra\u{7}b\u{7}\u{7}\u{13}X\u{14}y\u{15}\rhidden\r")
        whole.pieces.append(WordFile.Piece(text: "caf\u{E9}\u{B}\u{1E}\u{1F}\r", isNarrow: true))
        whole.paragraphs = [(4, 1, []), (6, 0, WordFile.inTable), (9, 0, WordFile.rowEnd)]
        whole.characters = [(16..<20, [0x3C, 0x08, 1])]
        let parts = ["body\r", "\u{2} note\r", "odd\rfoot\r", "comment\r", "end\r", "box\r"]
        var stories = WordFile(parts.joined())
        stories.lengths = parts.map(\.utf16.count)
        stories.headerPlaces = [0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 9, 9, 9, 10]
        // More than the characters that are taken at once.
        let long = WordFile(String(repeating: "long ", count: 1_000) + "\u{13}never ends\r")
        return [whole.bytes(), stories.bytes(), long.bytes(), short]
    }

    /// A file whose streams have no sectors of their own.
    private static var short: [UInt8] {
        let text = Array("short\r".utf8)
        func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
        let pieces = four(0) + four(text.count) + [0, 0] + four(0x4000_0000 | 0x1C0 * 2) + [0, 0]
        let table = [2] + four(pieces.count) + pieces
        var stream = [UInt8](repeating: 0, count: 0x200)
        func put(_ value: [UInt8], at offset: Int) {
            stream.replaceSubrange(offset..<offset + value.count, with: value)
        }
        put([0xEC, 0xA5, 0xC1, 0], at: 0)
        put(four(text.count), at: 0x4C)
        put(text, at: 0x1C0)
        put(four(table.count), at: 0x1A6)
        return CompoundFileBuilder([.stream("WordDocument", stream), .stream("0Table", table)]).bytes()
    }
}
