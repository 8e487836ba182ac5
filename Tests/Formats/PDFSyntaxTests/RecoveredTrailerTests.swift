import Formats
import PDFBuilding
import TestDeadline
import TestSupport
import Testing

@Suite("A recovered trailer", .serialized, .deadline)
struct RecoveredTrailerTests {
    private static func texts(for file: [UInt8]) -> [String] {
        RecoveredTrailer.candidates(for: file).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test("names the document catalogue that is left")
    func catalogue() {
        let file = "%PDF-1.4\n7 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]>>endobj"
        #expect(Self.texts(for: Array(file.utf8)).last?.contains("trailer\n<</Size 8/Root 7 0 R>>") == true)
    }

    @Test("makes a page tree of the remaining pages where the catalogue is lost")
    func lostCatalogue() {
        let file = "%PDF-1.4\n3 0 obj<</Type/Page>>endobj 9 0 obj<</Type/Page>>endobj"
        let text = Self.texts(for: Array(file.utf8)).last
        #expect(text?.contains("10 0 obj\n<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>") == true)
        #expect(text?.contains("<</Size 12/Root 11 0 R>>") == true)
    }

    @Test("writes the objects of object streams as uncompressed objects")
    func objectStreams() {
        let file = PDFBuilder.compact(pageEntries: "/MediaBox[0 0 9 9]", "")
        let texts = Self.texts(for: Array(file.prefix { $0 != 0 }))
        #expect(texts.first?.hasPrefix("\nstartxref\n") == true)
        #expect(texts.last?.contains("2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n") == true)
        #expect(texts.last?.contains("/Root 1 0 R") == true)
    }

    @Test("does not exist for objects that may be encrypted", arguments: ["/Filter/Standard/V 2", "/Encrypt 8 0 R"])
    func encrypted(entries: String) {
        let file = "1 0 obj<</Type/Page>>endobj 7 0 obj\n<<\(entries)>>\nendobj\n"
        #expect(RecoveredTrailer.candidates(for: Array(file.utf8)).isEmpty)
    }

    @Test(
        "does not mistake other bytes for objects",
        arguments: [
            "obj", " 0 obj<</Type/Page>>", "1 obj<</Type/Page>>", "0 0 obj<</Type/Page>>", "9 0 obj<</Type/Pag",
        ])
    func noObjects(text: String) {
        #expect(RecoveredTrailer.candidates(for: Array(text.utf8)).isEmpty)
    }

    /// A file whose search would take a time that grows with the square of its length, if every object were read to its
    /// end.
    enum Hostile: String, CaseIterable {
        case endlessObjects, overlappingObjects, overlappingStreams, unnamedLengths, emptyBlocks

        /// About 444 KB without an end.
        var file: [UInt8] {
            switch self {
            // `objx` begins an object, and must end the one before.
            case .endlessObjects: Self.repeating("1 0 objx ")
            case .overlappingObjects: Self.stream(of: 40_000)
            case .overlappingStreams: Self.repeating("7 0 obj<</Type/ObjStm/N 1/First 4>>stream\n9 0 <<>>\n")
            case .unnamedLengths: Self.repeating("7 0 obj<</Type/ObjStm/N 99999/First 400000>>stream\n9 0 <<>>\n")
            case .emptyBlocks:
                Self.repeating("7 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\nx\u{1}")
            }
        }

        private static func repeating(_ text: String) -> [UInt8] {
            Array("%PDF-1.5\n".utf8) + Array(repeatElement(Array(text.utf8), count: 444_000 / text.utf8.count).joined())
        }

        /// An object stream whose objects each begin in the one before and have no end.
        private static func stream(of count: Int) -> [UInt8] {
            let heads = (0..<count).map { "\($0 + 10) \($0) " }.joined()
            return Array("%PDF-1.5\n7 0 obj<</Type/ObjStm/N \(count)/First \(heads.utf8.count)>>stream\n\(heads)".utf8)
                + repeatElement(UInt8(ascii: "["), count: count)
        }
    }

    @Test("is found in a time that grows with the file's length, not with its square", arguments: Hostile.allCases)
    func hostile(kind: Hostile) {
        let file = kind.file
        let time = ProcessorTime.measure { _ = RecoveredTrailer.candidates(for: file) }
        // The search takes a tenth of a second on an idle machine.
        #expect(time < .seconds(1.5))
    }
}
