import ArchiveBuilding
import Foundation
import Media
import PDFBuilding
import TestDeadline
import TestSupport
import Testing

@Suite("Files that are given as a résumé", .serialized, .deadline(.seconds(900)))
struct ResumeFilesTests {
    /// What becomes of a file.
    private enum End {
        /// It is refused at once.
        case refused(Int, String)
        /// Its session fails with a sentence that has these words.
        case failed(String)
        /// It is read, and shows such a title or, for `nil`, none.
        case read(String?)
    }

    private static let typeMessage = "Invalid file type. Resume requires .pdf, .doc, .docx."

    private static func sample(_ name: String) throws -> [UInt8] { try JobSearchTests.bytes(name) }

    /// A DOCX with these bytes of XML as its body.
    private static func word(_ body: String) -> [UInt8] {
        let main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        let types = "http://schemas.openxmlformats.org/package/2006/content-types"
        let relationships = "http://schemas.openxmlformats.org/package/2006/relationships"
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
        let names = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        return ZipBuilder([
            ZipBuilder.File(
                "[Content_Types].xml",
                "<Types xmlns=\"\(types)\"><Override PartName=\"/word/document.xml\" ContentType=\"\(main)\"/></Types>"),
            ZipBuilder.File(
                "_rels/.rels",
                "<Relationships xmlns=\"\(relationships)\"><Relationship Id=\"r\" Type=\"\(office)\" "
                    + "Target=\"word/document.xml\"/></Relationships>"),
            ZipBuilder.File(
                "word/document.xml", "<w:document xmlns:w=\"\(names)\"><w:body>\(body)</w:body></w:document>",
                isDeflated: true),
        ]).bytes()
    }

    private static func word(_ lines: [String]) -> [UInt8] {
        word(lines.map { "<w:p><w:r><w:t xml:space=\"preserve\">\($0)</w:t></w:r></w:p>" }.joined())
    }

    private static func pages(_ count: Int) -> [UInt8] {
        let entries = "/MediaBox[0 0 200 100]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        return PDFBuilder.document(
            (1...count).map { (entries, "BT /F 12 Tf 10 80 Td (Experience, page \($0)) Tj ET") })
    }

    private static func cases() throws -> [(name: String, bytes: [UInt8], end: End)] {
        let menu = [
            "Trattoria da Nino", "Starters", "Bruschetta with tomatoes 7.50", "Burrata, basil, olive oil 9.80",
            "Desserts", "Tiramisu 6.00", "Reservations: (512) 555-0100",
        ]
        let german = [
            "Jürgen Großmann", "jg@example.org, +49 30 5550 1234", "Berufserfahrung",
            "Softwareentwickler, Nordlicht GmbH Januar 2019 – heute", "Pflege der Abrechnung in Java und PostgreSQL.",
            "Kenntnisse", "Java, Docker, Kubernetes",
        ]
        return [
            ("pages.pdf", pages(300), .failed("This file has 300 pages.")),
            ("page.docx", try sample("html-named.pdf"), .refused(415, typeMessage)),
            ("archive.docx", ZipBuilder([ZipBuilder.File("a.txt", "a")]).bytes(), .refused(415, typeMessage)),
            ("resume.pdf", try sample("jobs/resumes/teacher.docx"), .refused(415, typeMessage)),
            ("resume.odt", try sample("jobs/resumes/electrician.odt"), .refused(415, typeMessage)),
            ("resume", try sample("jobs/resumes/nurse.pdf"), .refused(415, typeMessage)),
            // Word writes RTF under this name; it has to be read.
            ("resume.doc", try sample("jobs/resumes/customer-service.rtf"), .read("Customer Support Specialist")),
            ("RESUME.PDF", try sample("jobs/resumes/nurse.pdf"), .read("Registered Nurse, Intensive Care")),
            ("bomb.docx", word(String(repeating: " ", count: 110 << 20)), .failed("takes too much to read")),
            ("menu.docx", word(menu), .failed("does not look like a résumé")),
            ("blank.docx", word(["", " "]), .failed("No text could be read")),
            // A résumé in another language is read as far as it goes; one of which nothing is understood is told the language.
            ("lebenslauf.docx", word(german), .read(nil)),
            (
                "резюме.docx", word(["Резюме", "Работаю поваром, люблю море"]),
                .failed("in another language than English")
            ),
            (
                "curriculo.docx", word(["Trabajo en la cocina desde el verano", "con los chefs y para una cadena"]),
                .failed("This résumé seems to be in Spanish")
            ),
            ("locked.docx", try sample("locked.docx"), .failed("protected by a password")),
            ("locked.pdf", try sample("password.pdf"), .failed("protected by a password")),
            ("cut.pdf", try sample("truncated.pdf"), .failed("damaged")),
            (
                "large.pdf", Array("%PDF-1.4\n".utf8) + [UInt8](repeating: 10, count: 10_000_000),
                .refused(413, "File exceeds 10MB limit. Please compress or choose a smaller file.")
            ),
            (
                "huge.pdf", Array("%PDF-1.4\n".utf8) + [UInt8](repeating: 10, count: 11_000_000),
                .refused(413, "File exceeds 10MB limit. Please compress or choose a smaller file.")
            ),
            ("empty.pdf", [], .refused(400, "Choose a file.")),
        ]
    }

    /// A page of words of which no two begin at the same place: each left edge may be a column's, and many words cross it.
    private static func staggered(_ count: Int) -> [UInt8] {
        let words = (0..<count).map { "1 0 0 1 \(Double($0 * 11 % 11_200) / 20) \(10 + $0 / 3) Tm (wwwww) Tj" }
        let entries = "/MediaBox[0 0 612 792]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        return PDFBuilder.document([(entries, "BT /F 8 Tf \(words.joined(separator: "\n")) ET")])
    }

    /// Seconds of processor time that a process took itself, without its children.
    private static func processorTime(of process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last!.split(separator: " ").compactMap { Double($0) }
        // utime and stime, in hundredths (proc(5)).
        return (fields[10] + fields[11]) / 100
    }

    @Test("The words of a hostile page are put in order by a child, and cost the service itself little")
    func hostilePages() throws {
        let documentd = try JobSearchTests.start()
        defer { documentd.remove() }
        let before = try Self.processorTime(of: documentd.processIdentifier)
        for count in [1_000, 2_400] {
            let answer = try documentd.client.post("/api/resume", fields: [], file: ("cv.pdf", Self.staggered(count)))
            let token = try #require(answer.json?["view_token"]?.string, "\(answer.text)")
            #expect(try JobSearchTests.ended(token, on: documentd)["status"]?.string == "failed")
        }
        let taken = try Self.processorTime(of: documentd.processIdentifier) - before
        #expect(taken < 4, "\(taken) s")
    }

    @Test("Each is read, refused with its status, or ends its session with a sentence")
    func files() throws {
        let documentd = try JobSearchTests.start()
        defer { documentd.remove() }
        let cases = try Self.cases()
        for (name, bytes, end) in cases {
            let answer = try documentd.client.post("/api/resume", fields: [], file: (name, bytes))
            if case .refused(let status, let message) = end {
                #expect(answer.status == status && answer.message == message, "\(name): \(answer.text)")
                #expect(JobSearchTests.keys(answer.json).starts(with: ["error"]), "\(name)")
                continue
            }
            #expect(answer.status == 200, "\(name): \(answer.text)")
            let token = try #require(answer.json?["view_token"]?.string, "\(name)")
            let session = try JobSearchTests.ended(token, on: documentd)
            let summary = try documentd.client.send("GET", "/api/public/summary?token=\(token)").json
            switch end {
            case .failed(let words):
                #expect(session["status"]?.string == "failed", "\(name): \(session.text)")
                #expect(session["error_message"]?.string?.contains(words) == true, "\(name): \(session.text)")
            case .read(let title):
                #expect(session["status"]?.string == "completed", "\(name): \(session.text)")
                if let title { #expect(summary?["title"]?.string == title, "\(name): \(summary?.text ?? "")") }
            case .refused: break
            }
        }
        // Nothing of what was refused stays.
        let kept = cases.count { if case .refused = $0.end { false } else { true } }
        try documentd.waitForStoredFiles(kept)
    }
}
