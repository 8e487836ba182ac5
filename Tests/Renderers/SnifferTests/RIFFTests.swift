import Media
import TestDeadline
import Testing

@Suite("RIFF", .deadline)
struct RIFFTests {
    private func chunk(_ id: String, _ payload: [UInt8]) -> [UInt8] {
        ascii(id) + UInt32(payload.count).little + payload + zeros(payload.count % 2)
    }

    private func avi(streamTypes: [String]) -> [UInt8] {
        let streams = streamTypes.flatMap {
            chunk("LIST", ascii("strl") + chunk("JUNK", zeros(3)) + chunk("strh", ascii($0) + zeros(52)))
        }
        let header = chunk("LIST", ascii("hdrl") + chunk("avih", zeros(56)) + streams)
        return chunk("RIFF", ascii("AVI ") + header + chunk("LIST", ascii("movi") + zeros(20)))
    }

    @Test("The form type distinguishes WebP and WAV")
    func forms() throws {
        #expect(try typeName(chunk("RIFF", ascii("WEBPVP8 ") + zeros(20))) == "image/webp")
        #expect(try typeName(chunk("RIFF", ascii("WAVE") + chunk("fmt ", zeros(16)))) == "audio/x-wav")
    }

    @Test(
        "An AVI file has video where a stream header has the type of video",
        arguments: [
            (["auds", "vids"], true), (["vids"], true), (["auds"], false),
        ])
    func video(streamTypes: [String], hasVideo: Bool) throws {
        let facts = try sniffed(avi(streamTypes: streamTypes))
        #expect(facts.mediaType == .avi)
        #expect(facts.hasVideo == hasVideo)
    }

    @Test("The presence of video is unknown in an AVI file that ends before its streams")
    func cut() throws {
        #expect(try sniffed(Array(avi(streamTypes: ["vids"]).prefix(60))).hasVideo == nil)
        #expect(try sniffed(Array(avi(streamTypes: ["vids"]).prefix(14))).mediaType == .avi)
    }
}
