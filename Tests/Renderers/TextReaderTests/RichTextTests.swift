import Media
import TestDeadline
import Testing

@Suite("Texts of Rich Text Format", .deadline)
struct RichTextTests {
    private func text(_ rtf: String) throws -> DocumentText {
        try Reading.text(Array(rtf.unicodeScalars.map { UInt8(exactly: $0.value)! }), as: .rtf)
    }

    private func lines(_ rtf: String) throws -> [String] { try text(rtf).paragraphs.map(\.text) }

    @Test(
        "Characters by code page, by font, by Unicode with substitutes, by name",
        arguments: [
            (#"{\rtf1\ansi\ansicpg1252 caf\'e9\par}"#, "café"), (#"{\rtf1\ansi\ansicpg1251 \'cf\'f0\par}"#, "Пр"),
            (#"{\rtf1\ansi{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}\f1 \'cf{\f0 \'cf}\par}"#, "ПÏ"),
            (#"{\rtf1\ansi\uc1 a\u8211?b\u-10179 ?\u-8704 ?\par}"#, "a–b😀"),
            (#"{\rtf1\uc2\u233\'c3\'a9x{\uc0\u233 y}\u233{}z\par}"#, "éxéyéz"),
            (#"{\rtf1\ansi{\fonttbl{\f0\fcharset128 M;}}\f0 \'83A\'93\'fa\'96\'7b x\par}"#, "ア日本 x"),
            (#"{\rtf1\tab a\line b\emdash\lquote c\rquote\~d\_e\-f\{\}\\\par}"#, "\ta\nb—‘c’\u{A0}d-ef{}\\"),
            ("{\\rtf1 one\r\ntwo\\\npar}", "onetwo"), (#"{\rtf1\bin3 {{{a\par}"#, "a"), (#"{\rtf1 a}"#, "a"),
            (#"{\rtf1\ansicpg99 \'80\par}"#, "€"),
        ])
    func characters(rtf: String, line: String) throws { #expect(try lines(rtf).first == line) }

    @Test(
        "What is no text of the document is left out",
        arguments: [
            #"{\rtf1{\*\generator x;}a\par}"#, #"{\rtf1{\info{\title x}}a\par}"#, #"{\rtf1{\pict\pngblip 00ff}a\par}"#,
            #"{\rtf1{\object\objemb{\*\objclass x}{\*\objdata 00}{\result a}}\par}"#,
            #"{\rtf1{\field{\*\fldinst HYPERLINK "x"}{\fldrslt a}}\par}"#, #"{\rtf1{\v x}a\v y\v0\par}"#,
            #"{\rtf1{\deleted x}a\par}"#, #"{\rtf1{\*\annotation x}a{\*\bkmkstart x}\par}"#,
            #"{\rtf1{\stylesheet{\s1 heading 1;}}{\colortbl;\red0;}a\par}"#, #"{\rtf1{\upr{x}{\*\ud a}}\par}"#,
            #"{\rtf1{\listtext 1.\tab}a\par}"#, #"{\rtf1 a\par}x"#,
            #"{\rtf1{\*\shppict{\pict x}}{\nonshppict{\pict x}}a\par}"#,
        ])
    func leftOut(rtf: String) throws { #expect(try lines(rtf) == ["a"]) }

    @Test("Headings by style and outline level, list items by their label or list")
    func styles() throws {
        let rtf =
            #"{\rtf1{\stylesheet{\s1\b heading 1;}{\s2\outlinelevel1 Mine;}{\*\cs3 heading x;}}\pard\s1 a\par\pard\s2 b\par"#
            + #"\pard\s3 c\par\pard\outlinelevel0 d\par\pard{\listtext 1.\tab}e\par\pard\ls2 f\par\pard g\par}"#
        #expect(
            try text(rtf).paragraphs.map(\.style) == [.heading, .heading, .body, .heading, .listItem, .listItem, .body])
    }

    @Test("Cells, rows and nested tables")
    func tables() throws {
        let rtf =
            #"{\rtf1\trowd\pard\intbl a\cell b\par c\cell\row\trowd\intbl d\cell"#
            + #"\pard\intbl\itap2 in\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\pard\intbl e\cell\row\pard out\par}"#
        let text = try text(rtf)
        #expect(text.paragraphs.map(\.text) == ["a", "b", "c", "d", "in", "e", "out"])
        #expect(
            text.paragraphs.map { $0.cell.map { [$0.table, $0.row, $0.column] } } == [
                [0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], nil,
            ])
    }

    @Test("Headers come first, boxes behind their paragraph, notes and footers last")
    func stories() throws {
        let rtf =
            #"{\rtf1{\footer foot\par}{\header name\par}a{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt box\par}}{\shprslt x}}b{\footnote note}\par}"#
        #expect(try lines(rtf) == ["name", "ab", "box", "note", "foot"])
    }

    @Test("A document that is cut or nested without end is corrupt")
    func damaged() throws {
        func failure(_ rtf: String) throws -> Failure.Code? { try Reading.failure(Array(rtf.utf8), as: .rtf) }
        #expect(try failure(#"{\rtf1 a\par {b"#) == .corrupt)
        #expect(try failure(#"{\rtf1"# + String(repeating: "{", count: 100_000)) == .corrupt)
        #expect(
            try failure(#"{\rtf1"# + String(repeating: "{", count: 9_000) + String(repeating: "}", count: 9_001)) == nil
        )
        #expect(try failure(#"{\rtf1\bin2147483647 a}"#) == .corrupt)
        #expect(try failure(#"{\rtf1\u99999999999999999999 \uc99999999999\fs-9999999999999 a}"#) == nil)
    }

    @Test("Text over the bound is cut")
    func cut() throws {
        let text = try text(#"{\rtf1 "# + String(repeating: "abcdefghi ", count: 200_000) + #"\par}"#)
        #expect(text.isCut)
        #expect(text.paragraphs.map(\.text.utf8.count) == [DocumentText.longestText])
    }
}
