import Media
import TestDeadline
import Testing

@Suite("Ogg", .deadline)
struct OggStreamTests {
    private func page(_ packet: [UInt8], beginsStream: Bool = true) -> [UInt8] {
        ascii("OggS\0") + [beginsStream ? 2 : 0] + zeros(20) + [1, UInt8(packet.count)] + packet
    }

    @Test("The first packets name the codecs")
    func codecs() throws {
        let vorbis = page(ascii("\u{1}vorbis") + zeros(23))
        let theora = page([0x80] + ascii("theora") + zeros(35))
        #expect(try typeName(vorbis) == "audio/ogg")
        #expect(try sniffed(vorbis + theora).hasVideo == true)
        #expect(try typeName(theora + vorbis) == "video/ogg")
        #expect(try typeName(page(ascii("OpusHead") + zeros(11))) == "audio/ogg")
        #expect(try typeName(page(ascii("fishead\0") + zeros(56))) == "application/ogg")
    }

    @Test("A later page of a stream does not begin a new stream")
    func laterPages() throws {
        let vorbis = page(ascii("\u{1}vorbis") + zeros(23))
        let data = page([0x80] + ascii("theora"), beginsStream: false)
        #expect(try typeName(vorbis + data) == "audio/ogg")
    }
}
