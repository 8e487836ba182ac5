import Media
import TestDeadline
import Testing

@Suite("Matroska and WebM", .deadline)
struct MatroskaTests {
    /// An element whose size takes one byte, or four where it needs them.
    private func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        let size = payload.count < 127 ? [UInt8(payload.count) | 0x80] : (UInt32(payload.count) | 0x1000_0000).big
        return id + size + payload
    }

    private func header(_ type: String) -> [UInt8] {
        element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x86], [1]) + element([0x42, 0x82], ascii(type)))
    }

    private func file(_ type: String, trackTypes: [UInt8]) -> [UInt8] {
        let entries = trackTypes.flatMap { element([0xAE], element([0xD7], [1]) + element([0x83], [$0])) }
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], entries)
        // A segment of unknown size, as a live recording has it.
        return header(type) + [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
            + element([0xEC], zeros(200)) + tracks
    }

    @Test(
        "The DocType distinguishes WebM from Matroska, a video track video from audio",
        arguments: [
            ("webm", [2, 1], "video/webm", true), ("matroska", [1], "video/x-matroska", true),
            ("webm", [2], "audio/webm", false), ("matroska", [2, 17], "audio/x-matroska", false),
            ("matroska", [17], "video/x-matroska", false),
        ] as [(String, [UInt8], String, Bool)])
    func tracks(documentType: String, trackTypes: [UInt8], type: String, hasVideo: Bool) throws {
        let facts = try sniffed(file(documentType, trackTypes: trackTypes))
        #expect(facts.mediaType.rawValue == type)
        #expect(facts.hasVideo == hasVideo)
    }

    @Test("The presence of video is unknown without tracks before the first cluster")
    func noTracks() throws {
        let cluster = element([0x1F, 0x43, 0xB6, 0x75], zeros(20))
        let facts = try sniffed(header("webm") + element([0x18, 0x53, 0x80, 0x67], cluster))
        #expect(facts.mediaType == .webm)
        #expect(facts.hasVideo == nil)
    }

    @Test("Other EBML is neither Matroska nor WebM")
    func otherEBML() throws {
        #expect(try typeName(header("something")) == "application/x-ebml")
    }
}
