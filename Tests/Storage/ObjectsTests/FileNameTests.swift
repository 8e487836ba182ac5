import Objects
import TestDeadline
import TestSupport
import Testing

@Suite("File names from outside are made safe", .deadline)
struct FileNameTests {
    static let hostile = [
        "", ".", "..", "/", "\\", "///", "\0", "\n", "../../etc/passwd", "C:\\Users\\me\\a.pdf", "a\0.pdf",
        "a\r\nb.pdf",
        "\u{202E}fdp.exe", String(repeating: "x", count: 300) + ".pdf", String(repeating: "😀", count: 300), "   . . ",
        "a" + String(repeating: "\u{301}", count: 500) + ".pdf", "\u{200D}\u{200D}", "\u{FE0F}",
        "<script>alert(1)</script>",
        "'; DROP TABLE documents; --", "=cmd|' /C calc'!A0.csv", "a." + String(repeating: "b", count: 300), "\u{FEFF}",
        "-rf",
        "\u{37E}\u{1FEF}.pdf", "\u{E0041}", "\u{10FFFF}", "e\u{200B}\u{301}.pdf",
    ]

    @Test(
        "Names become harmless, and stay readable",
        arguments: [
            ("résumé.pdf", "résumé.pdf"), ("re\u{301}sume\u{301}.PDF", "résumé.PDF"), ("a/b/c.pdf", "c.pdf"),
            ("C:\\fakepath\\My résumé (2).docx", "My résumé (2).docx"), ("a/b/", "b"), ("../../x.mp4", "x.mp4"),
            ("a\0b.pdf", "ab.pdf"), ("a\u{202E}fdp.exe", "afdp.exe"), ("a\tb \u{A0}\u{3000} c.txt", "a b c.txt"),
            ("a\r\nSet-Cookie: x.pdf", "a Set-Cookie_ x.pdf"), ("  ..a. .pdf", "a.pdf"), (".pdf", "file.pdf"),
            ("", "file"),
            ("...", "file"), ("..", "file"), ("\u{202E}", "file"), ("\u{200D}.mov", "file.mov"), ("---", "file"),
            ("видео игры.mp4", "видео игры.mp4"), ("動画①.mov", "動画①.mov"), ("فایل\u{200C}ها.pdf", "فایل\u{200C}ها.pdf"),
            ("🏈👨‍👩‍👧🇨🇭.mp4", "🏈👨‍👩‍👧🇨🇭.mp4"), ("a<b>|\"c\".csv", "a_b___c_.csv"), ("100%#1.pdf", "100__1.pdf"),
            ("a.tar.gz", "a.tar.gz"), ("no extension", "no extension"), ("e\u{200B}\u{301}.pdf", "é.pdf"),
            ("version 1.2 final", "version 1.2 final"), ("a.pdf.", "a.pdf"), ("a.pdf ", "a.pdf"),
            ("a\u{37E}.pdf", "a_.pdf"),
        ])
    func names(given: String, safe: String) {
        #expect(FileName.safe(given) == safe)
        #expect(Array(FileName.safe(given).utf8) == Array(safe.utf8), "in normal form C")
    }

    @Test(
        "Names for people keep their punctuation, and lose what cannot be seen",
        arguments: [
            ("Transcript – fall “final”.pdf", "Transcript – fall “final”.pdf"), ("50%: a*b?.csv", "50%: a*b?.csv"),
            ("€5 <b>&#1;.txt", "€5 <b>&#1;.txt"), ("../../x.mp4", "x.mp4"), ("C:\\me\\a–b.pdf", "a–b.pdf"),
            ("a\0\u{202E}\u{200B}b\r\nc.pdf", "ab c.pdf"), ("—.pdf", "file.pdf"), ("", "file"),
        ])
    func shownNames(given: String, shown: String) {
        #expect(FileName.shown(given) == shown)
        #expect(FileName.shown(shown) == shown)
    }

    @Test("Long names are cut between two characters, and keep their extension")
    func cutting() {
        let family = "👨‍👩‍👧"
        #expect(
            FileName.safe(String(repeating: "x", count: 300) + ".pdf") == String(repeating: "x", count: 116) + ".pdf")
        #expect(
            FileName.safe(String(repeating: family, count: 50) + ".mov") == String(repeating: family, count: 6) + ".mov"
        )
        #expect(FileName.safe("a" + String(repeating: "\u{301}", count: 500) + ".pdf") == "file.pdf")
        // Cutting may leave a space or a dot at the end.
        #expect(
            FileName.safe(String(repeating: "x", count: 115) + " y.pdf") == String(repeating: "x", count: 115) + ".pdf")
        #expect(FileName.safe("a." + String(repeating: "b", count: 300)) == "a." + String(repeating: "b", count: 118))
    }

    private func check(_ name: String) {
        let safe = FileName.safe(name)
        #expect(!safe.isEmpty && safe.utf8.count <= FileName.longest, "\(name.debugDescription)")
        #expect(FileName.safe(safe) == safe, "\(name.debugDescription) → \(safe.debugDescription)")
        #expect(!safe.hasPrefix(".") && !safe.hasSuffix(".") && !safe.hasPrefix(" ") && !safe.hasSuffix(" "))
        for scalar in safe.unicodeScalars {
            #expect(!"/\\<>:\"|?*%#`;".unicodeScalars.contains(scalar))
            #expect(scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl)
        }
    }

    @Test("Hostile names are harmless, and safe ones stay as they are", arguments: hostile)
    func hostileNames(name: String) { check(name) }

    @Test("So are 20,000 names of random characters")
    func random() {
        var random = SplitMix(seed: 17)
        let odd = Array(
            "/\\.. \0\n\u{202E}\u{301}\u{200D}\u{FE0F}é😀🇨🇭漢.pdf:*\u{37E}\u{2000}\u{AC00}\u{1100}\u{1161}".unicodeScalars)
        for _ in 0..<20_000 {
            var name = String.UnicodeScalarView()
            for _ in 0..<random.next(below: 80) {
                let any = Unicode.Scalar(UInt32(random.next(below: 0x11_0000)))
                name.append(random.next(below: 3) == 0 ? any ?? "x" : odd[random.next(below: odd.count)])
            }
            check(String(name))
        }
    }
}
