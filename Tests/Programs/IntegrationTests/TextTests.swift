import Foundation
import Media
import PDFBuilding
import TestDeadline
import TestSupport
import Testing

@Suite("compass text", .deadline)
struct TextTests {
    /// Three pages, the second of which is blank.
    private static let document: Data = {
        let entries = "/MediaBox[0 0 200 100]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        return Data(
            PDFBuilder.document([
                (entries, "BT /F 12 Tf 14 TL 10 80 Td (First page,) Tj T* (second line) Tj ET"), (entries, ""),
                (entries, "BT /F 12 Tf 10 80 Td (Third page) Tj ET"),
            ]))
    }()

    @Test("Pages end with a form feed; one page alone does not")
    func pages() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Self.document, "three pages.pdf")
        let all = try program.run(["text", file])
        #expect(all.standardOutput == "First page,\nsecond line\n\u{0C}\u{0C}Third page\n\u{0C}")
        #expect((all.status, all.standardError) == (0, ""))
        #expect(try program.run(["text", "--page", "3", file]).standardOutput == "Third page\n")
        #expect(try program.run(["text", "-"], input: Self.document).standardOutput == all.standardOutput)
    }

    /// The second page has no words, and is recognised when it is asked for itself; the third one comes with it.
    @Test("What was read is kept in the cache, pages that were read together in one file, and goes with the source")
    func cached() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Self.document, "a.pdf")
        let first = try program.run(["text", "--json", file])
        #expect(first.json.map { $0["page"]?.int } == [1, 2, 3])
        #expect(first.json.map { $0["words"]?.array?.count } == [4, 0, 2])
        #expect(first.json[0]["width"]?.int == 200)
        #expect(try program.run(["cache", "stats", "--json"]).json.first?["texts"]?.int == 2)
        let files = program.files(below: "cache").filter { $0.contains("/text") }
        func fileNumbers() throws -> [Int?] {
            try files.map {
                try FileManager.default.attributesOfItem(atPath: program.path("cache/\($0)"))[.systemFileNumber] as? Int
            }
        }
        let before = try fileNumbers()
        #expect(try program.run(["text", "--json", file]).standardOutput == first.standardOutput)
        #expect(try fileNumbers() == before, "nothing was stored again")
        let digest = try #require(try program.run(["facts", "--json", file]).json.first?["digest"]?.string)
        #expect(files.map { $0.split(separator: "/").last }.sorted { $0! < $1! } == ["text-p1.json", "texts-p1.json"])
        #expect(files.allSatisfy { $0.contains(digest) })
        #expect(try program.run(["cache", "verify"]).status == 0)
        #expect(try program.run(["cache", "purge", digest]).status == 0)
        #expect(!program.files(below: "cache").contains { $0.contains("/text") })
    }

    @Test("A record that was changed is read again")
    func damaged() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Self.document, "a.pdf")
        let first = try program.run(["text", file])
        let record = try #require(program.files(below: "cache").first { $0.hasSuffix("/text-p1.json") })
        let path = program.path("cache/\(record)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "First", with: "Worst").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try program.run(["text", file]).standardOutput == first.standardOutput)
    }

    @Test(
        "Files without text fail in plain words",
        arguments: [
            ("password.pdf", "File is protected with a password.", 1),
            ("alpha.png", "Text can be read from PDF, Word, OpenDocument, RTF and text files only.", 1),
            ("one-byte.jpg", "Text can be read from PDF, Word", 1), ("empty.jpg", "File is empty.", 1),
            ("nothing.pdf", "File not found.", 1),
        ])
    func failures(sample: String, message: String, status: Int) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        for round in 0..<2 {
            let output = try program.run(["text", Checkout.sample(sample)])
            #expect(output.standardOutput.isEmpty)
            #expect(output.standardError.contains(message), "round \(round): \(output.standardError)")
            #expect(output.status == Int32(status))
        }
        let json = try program.run(["text", "--json", Checkout.sample(sample)]).json
        #expect(json.first?["failure"]?["message"]?.string?.hasPrefix(message) == true)
    }

    @Test("A page that does not exist is a mistake of the call", arguments: [("4", 2), ("0", 2), ("-1", 2), ("x", 2)])
    func noSuchPage(page: String, status: Int) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Self.document, "a.pdf")
        #expect(try program.run(["text", file, "--page", page]).status == Int32(status))
    }

    @Test(
        "Documents without pages are printed as paragraphs, whatever their name says",
        arguments: [
            ("accountant.docx", "JONATHAN P. WHITFIELD, CPA", "cv.doc"),
            ("electrician.odt", "Curriculum Vitae", "cv.pdf"),
            ("customer-service.rtf", "Leilani Kealoha-Brandt", "cv.docx"), ("data-analyst.txt", "Adaeze Folarin", "cv"),
        ])
    func documents(sample: String, line: String, name: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let path = Checkout.sample("jobs/resumes/\(sample)")
        let printed = try program.run(["text", path])
        #expect(printed.lines.first == line)
        #expect((printed.status, printed.standardError) == (0, ""))
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try program.run(["text", try program.write(data, name)]).standardOutput == printed.standardOutput)
        #expect(try program.run(["text", "-"], input: data).standardOutput == printed.standardOutput)
        let object = try #require(try program.run(["text", "--json", path]).json.first)
        let text = try #require(DocumentText(json: object))
        #expect(text.text + "\n" == printed.standardOutput)
        #expect(object["failure"] == .null)
        #expect(program.files(below: "cache").contains { $0.hasSuffix("/text.json") })
        #expect(try program.run(["cache", "verify"]).status == 0)
    }

    @Test("What was read of a document is kept, and read again where its record was changed")
    func cachedDocument() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = Checkout.sample("jobs/resumes/teacher.docx")
        let first = try program.run(["text", file]).standardOutput
        let record = try #require(program.files(below: "cache").first { $0.hasSuffix("/text.json") })
        let path = program.path("cache/\(record)")
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(try program.run(["text", file]).standardOutput == first)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == number)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "Rosalind", with: "Rosalynn").write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(try program.run(["text", file]).standardOutput == first)
    }

    @Test("A document without pages has none to choose; one that is damaged or of another kind fails in plain words")
    func refusedDocuments() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        #expect(try program.run(["text", "--page", "1", Checkout.sample("jobs/resumes/teacher.docx")]).status == 2)
        let page = try program.write(Data("<!DOCTYPE html><html><body>x</body></html>".utf8), "page.docx")
        #expect(try program.run(["text", page]).standardError.contains("Text can be read from"))
        let cut = try program.write(Data("{\\rtf1 {cut".utf8), "cut.rtf")
        for _ in 0..<2 {
            let output = try program.run(["text", "--json", cut])
            #expect(output.json.first?["failure"]?["code"]?.string == "corrupt")
            #expect(output.status == 1)
        }
    }

    @Test("The words of a page that is a picture are recognised, and stand where the page shows them")
    func recognized() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let scan = Checkout.sample("jobs/resumes/mechanical-engineer.pdf")
        let printed = try program.run(["text", scan]).standardOutput
        for words in ["Raghunathan", "313-555-0148", "Voltaire Motors", "Huron Institute of Technology"] {
            #expect(printed.contains(words), "\(words)")
        }
        let json = try #require(try program.run(["text", "--json", scan]).json.first)
        let page = try #require(PageText(json: json))
        #expect(page.isRecognized)
        let name = try #require(page.words.first { $0.text == "Raghunathan" })
        #expect((105...120).contains(name.place.left) && (55...75).contains(name.place.top), "\(name.place)")
    }

    @Test("A scan with a line of true text over it is recognised too, and keeps that line")
    func stampedScan() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let sample = Checkout.sample("jobs/resumes/mechanical-engineer.pdf")
        var file = try Data(contentsOf: URL(fileURLWithPath: sample))
        // An incremental update: the page, and before its picture a text that the picture hides.
        let text = "q BT /F 9 Tf 20 12 Td (Scanned by Quillfax 77) Tj ET Q"
        let objects = [
            """
            2 0 obj
            <</Type/Page/Parent 1 0 R/MediaBox[0 0 612 792]/Contents[20 0 R 4 0 R]/Resources<</XObject<</x6 6 0 R>>
            /ExtGState<</a0<</CA 1/ca 1>>>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>
            endobj

            """, "20 0 obj\n<</Length \(text.utf8.count)>>\nstream\n\(text)\nendstream\nendobj\n",
        ]
        let end = String(decoding: file.suffix(60), as: UTF8.self)
        let former = try #require(end.firstMatch(of: /startxref\s+(\d+)/)?.1)
        file += Data("\n".utf8)
        var table = "xref\n"
        for (number, object) in zip([2, 20], objects) {
            let offset = "\(file.count)"
            table += "\(number) 1\n\(String(repeating: "0", count: 10 - offset.count))\(offset) 00000 n \n"
            file += Data(object.utf8)
        }
        let trailer = "trailer\n<</Size 21/Root 9 0 R/Prev \(former)>>\nstartxref\n\(file.count)\n%%EOF\n"
        file += Data((table + trailer).utf8)
        let path = try program.write(file, "stamped.pdf")
        let json = try #require(try program.run(["text", "--json", path]).json.first)
        let page = try #require(PageText(json: json))
        #expect(page.isRecognized && page.isMostlyPicture)
        for words in ["Raghunathan", "313-555-0148", "Voltaire Motors", "Scanned by Quillfax 77"] {
            #expect(page.text.contains(words), "\(words)")
        }
    }

    @Test("Without the recogniser a scan has no words and a warning; with it they are read, whatever the cache has")
    func unrecognized() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        // A renderer lies beside the program that starts it.
        let built = BuiltPrograms.folder
        try FileManager.default.copyItem(atPath: "\(built)/compass", toPath: program.path("compass"))
        for name in ["compass-sniff", "compass-render-plain", "compass-render-pdf", "compass-read-text", "stand-ins"] {
            try FileManager.default.createSymbolicLink(
                atPath: program.path(name), withDestinationPath: "\(built)/\(name)")
        }
        let scan = Checkout.sample("jobs/resumes/mechanical-engineer.pdf")
        let cache = ["COMPASS_CACHE": program.path("cache"), "HOME": program.path("home")]
        let lacking = try CompassProgram.run(program.path("compass"), ["text", scan], environment: cache)
        #expect(lacking.standardOutput == "\u{0C}")
        #expect(lacking.standardError.contains("Scanned pages cannot be read here"), "\(lacking.standardError)")
        #expect(lacking.status == 0)
        #expect(try program.run(["text", scan]).standardOutput.contains("Raghunathan"))
    }
}
