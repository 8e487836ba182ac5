import Documents
import TestDeadline
import Testing

@Suite("DocumentError speaks to people", .deadline)
struct DocumentErrorTests {
    @Test(
        "A limit is written in the largest unit that is a whole number",
        arguments: [
            (100_000_000, "100MB"), (1_000_000_000, "1GB"), (1_500_000_000, "1500MB"), (20_000, "20KB"),
            (999, "999 bytes"),
            (1_234_567, "1MB"),
        ] as [(Int64, String)])
    func sizes(limit: Int64, text: String) {
        #expect(
            DocumentError.tooLarge(limit: limit).message
                == "File exceeds \(text) limit. Please compress or choose a smaller file.")
    }

    @Test("No message shows the detail, which is for the log")
    func details() {
        let secret = "/srv/data/documents.sqlite"
        for error in [DocumentError.full(detail: secret), .unavailable(detail: secret)] {
            #expect(!error.message.contains(secret) && error.description.contains(secret))
        }
        #expect(DocumentError.notFound(.document).message == "Document not found")
        #expect(DocumentError.notFound(.file).message == "File no longer available")
    }
}
