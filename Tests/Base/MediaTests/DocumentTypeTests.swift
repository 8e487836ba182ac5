import Media
import TestDeadline
import Testing

@Suite("The document types' rules", .deadline)
struct DocumentTypeTests {
    private func verdict(_ type: DocumentType, _ name: String, _ mediaType: MediaType, video: Bool? = nil) -> Failure? {
        var facts = Facts(mediaType: mediaType, byteCount: 1)
        facts.hasVideo = video
        do throws(Failure) {
            try type.check(fileName: name, facts: facts)
            return nil
        } catch {
            return error
        }
    }

    @Test("The message names the label and the extensions in order")
    func text() {
        #expect(
            verdict(.resume, "cv.png", .png)?.message == "Invalid file type. Resume requires .pdf, .doc, .docx.")
        #expect(
            verdict(.highlightVideo, "a.mkv", .matroska)?.message
                == "Invalid file type. Highlight Video requires .mp4, .mov, .avi.")
        #expect(
            verdict(.statsSheet, "a.pdf", .pdf)?.message == "Invalid file type. Stats Sheet requires .csv, .xls, .xlsx."
        )
        #expect(verdict(.recommendationLetter, "x", .pdf)?.code == .refusedType)
    }

    @Test(
        "Name and content that fit are accepted, in any case of letters",
        arguments: [
            (.resume, "cv.PDF", .pdf), (.resume, "cv.doc", .word), (.resume, "cv.doc", .rtf),
            (.resume, "cv.docx", .wordOpenXML), (.resume, "cv.docx", .encryptedOpenXML),
            (.transcript, "t.txt", .plainText), (.transcript, "t.txt", .csv),
            (.transcript, "t.txt", MediaType(rawValue: "message/rfc822")), (.statsSheet, "s.csv", .plainText),
            (.statsSheet, "s.csv", .csv), (.statsSheet, "s.xls", .excel), (.statsSheet, "s.xlsx", .excelOpenXML),
            (.highlightVideo, "a.avi", .avi), (.questionnaire, "a.b.pdf", .pdf),
        ] as [(DocumentType, String, MediaType)])
    func accepted(type: DocumentType, name: String, mediaType: MediaType) {
        #expect(verdict(type, name, mediaType) == nil)
    }

    @Test("A container that may hold audio alone must have a video stream")
    func video() {
        for name in ["a.mp4", "a.mov"] {
            for mediaType in [MediaType.mp4, .quickTime, .m4v, .threeGPP] {
                #expect(verdict(.highlightVideo, name, mediaType, video: true) == nil)
                #expect(verdict(.highlightVideo, name, mediaType, video: false) != nil)
                #expect(verdict(.highlightVideo, name, mediaType) != nil)
            }
        }
    }

    @Test(
        "Content of another kind is refused under an allowed name",
        arguments: [
            (.resume, "cv.pdf", .html), (.highlightVideo, "v.mp4", .zip), (.resume, "cv.doc", .excel),
            (.resume, "cv.doc", .wordOpenXML), (.resume, "cv.docx", .word), (.transcript, "t.txt", .html),
            (.transcript, "t.txt", MediaType(rawValue: "text/xml")),
            (.transcript, "t.txt", MediaType(rawValue: "text/x-shellscript")), (.statsSheet, "s.xlsx", .wordOpenXML),
            (.statsSheet, "s.xlsx", MediaType(rawValue: "application/vnd.ms-excel.sheet.macroenabled.12")),
            (.statsSheet, "s.xls", .word), (.highlightVideo, "v.avi", .mp4), (.transcript, "t.pdf", .empty),
        ] as [(DocumentType, String, MediaType)])
    func refused(type: DocumentType, name: String, mediaType: MediaType) {
        #expect(verdict(type, name, mediaType, video: true)?.code == .refusedType)
    }
}
