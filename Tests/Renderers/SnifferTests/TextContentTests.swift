import Media
import TestDeadline
import Testing

@Suite("Texts", .deadline)
struct TextContentTests {
    private static let prose = "Grüße aus Köln, \u{1F600} und so weiter: eine Zeile Text.\nNoch eine.\n"

    private static let encoded: [[UInt8]] = [
        ascii(prose),
        [0xEF, 0xBB, 0xBF] + ascii(prose),
        [0xFF, 0xFE] + littleUTF16(prose),
        [0xFE, 0xFF] + bigUTF16(prose),
        littleUTF16(prose),
        bigUTF16(prose),
        littleUTF16("第一行\n第二行 (2026): 没有字节顺序标记的文本\n"),
        littleUTF32("\u{FEFF}" + prose),
        bigUTF32("\u{FEFF}" + prose),
        // ISO 8859-1, Shift_JIS, GB 18030 and ISO-2022-JP.
        ascii("Gr") + [0xFC, 0xDF] + ascii("e aus K") + [0xF6] + ascii("ln\r\n"),
        [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x95, 0xB6, 0x8F, 0xCD, 0x0A],
        [0xD6, 0xD0, 0xCE, 0xC4, 0xCE, 0xC4, 0xB1, 0xBE, 0x0A],
        [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42, 0x0A],
        ascii("DOS\r\n\u{1A}"),
        ascii("x"),
    ]

    @Test("Text is text in any encoding", arguments: encoded)
    func encodings(bytes: [UInt8]) throws {
        #expect(try typeName(bytes) == "text/plain")
    }

    private static let notText: [[UInt8]] = [
        ascii("text with a \0 in it"),
        [1, 2, 3, 4, 5],
        ascii("abc") + [0x7F] + ascii("def"),
        // Half of a surrogate pair.
        [0xFF, 0xFE, 0x00, 0xD8, 0x41, 0x00, 0x41, 0x00],
        littleUTF16("ab\u{E000}cdef"),
    ]

    @Test("Files with bytes that do not occur in text are not text", arguments: notText)
    func binary(bytes: [UInt8]) throws {
        #expect(!(try typeName(bytes)).hasPrefix("text/"))
    }

    @Test(
        "Text whose beginning looks like code, mail or a program is text",
        arguments: [
            "From: the athletic department\n\nDear coach, this is my season.\n",
            "Subject: Transcript\nTo: Coach\n\nAll grades below.\n",
            "(* first season *)\nbegin of a story; end.\n",
            "#include everything that I did this year\nint main is a school team\n",
            "import everything\nclass of 2027\ndef practice(): daily\n",
            "/* notes */\npublic class schedule for the year\n",
            "@echo off the wall\nREM sleep is important\n",
            "Received: one letter of recommendation\nA great student.\n",
        ])
    func guesses(text: String) throws {
        #expect(try typeName(text) == "text/plain")
    }

    @Test("A message with the fields of a mail system is mail")
    func mail() throws {
        let mail =
            "Return-Path: <a@b.example>\r\nReceived: from b.example\r\n\tby c.example; Sat, 21 Nov 2026\r\n"
            + "From: a@b.example\r\nTo: c@d.example\r\nSubject: hi\r\nMessage-ID: <1@b.example>\r\n\r\nHello\r\n"
        #expect(try typeName(mail) == "message/rfc822")
    }

    @Test(
        "HTML is recognised by its first tag",
        arguments: [
            "<!DOCTYPE html>\n<title>x</title>", "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "  \n<HTML>",
            "\u{FEFF}<html lang=en>", "<!-- saved from the web --><html>", "<body onload=x>",
            "<script>alert(1)</script>",
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>",
            "<!-- <svg> --><html><svg/></html>",
        ])
    func pages(text: String) throws {
        #expect(try typeName(text) == "text/html")
        let plain = text.replacing("\u{FEFF}", with: "")
        #expect(try typeName([0xFF, 0xFE] + littleUTF16(plain)) == "text/html")
    }

    @Test(
        "SVG and other XML are recognised by the root element",
        arguments: [
            ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
            ("<?xml version=\"1.0\"?>\n<!-- drawn <html> by hand -->\n<svg:svg xmlns:svg=\"s\"/>", "image/svg+xml"),
            ("<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"<b>\">]><svg/>", "image/svg+xml"),
            ("<?xml version=\"1.0\"?><notes><svg/></notes>", "text/xml"),
            ("<?xml version=\"1.0\"?><table><title/></table>", "text/xml"),
            ("A sentence about <svg> and <html> is no drawing.", "text/plain"),
        ])
    func roots(text: String, type: String) throws {
        #expect(try typeName(text) == type)
    }

    @Test(
        "A first line that names an interpreter makes a script",
        arguments: [
            "#!/bin/sh\necho\n", "#!/usr/bin/env python3\nprint()\n", "#! something\n", "#!",
        ])
    func scripts(text: String) throws {
        #expect(try typeName(text) != "text/plain")
    }

    @Test(
        "Textual formats are recognised by their beginning",
        arguments: [
            ("{\"a\": [1, 2, 3], \"b\": {\"c\": null}}\n", "application/json"),
            ("{\\rtf1\\ansi text}", "text/rtf"),
            ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", "text/calendar"),
            ("%!PS-Adobe-3.0\n", "application/postscript"),
        ])
    func formats(text: String, type: String) throws {
        #expect(try typeName(text) == type)
    }
}
