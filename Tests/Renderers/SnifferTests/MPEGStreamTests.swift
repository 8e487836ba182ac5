import Media
import TestDeadline
import Testing

@Suite("MPEG streams", .deadline)
struct MPEGStreamTests {
    private func packet(before: Int = 0, behind: Int = 0) -> [UInt8] {
        zeros(before) + [0x47, 0x40, 0x00, 0x10] + zeros(184) + zeros(behind)
    }

    @Test("Transport packets of 188, 192 and 204 bytes are recognised by their sync bytes")
    func packetSizes() throws {
        for packet in [packet(), packet(before: 4), packet(behind: 16)] {
            let stream = [[UInt8]](repeating: packet, count: 6).flatMap { $0 }
            #expect(try typeName(stream) == "video/mp2t")
        }
    }

    @Test("Behind junk more packets are needed as proof")
    func junk() throws {
        let stream = [[UInt8]](repeating: packet(), count: 40).flatMap { $0 }
        #expect(try typeName(zeros(777) + stream) == "video/mp2t")
        #expect(try typeName(zeros(777) + stream.prefix(188 * 5)) != "video/mp2t")
    }

    @Test("Text full of the sync byte's letter is text")
    func letters() throws {
        #expect(try typeName(String(repeating: "G", count: 4000)) == "text/plain")
    }

    @Test("A program stream begins with a pack header")
    func programStream() throws {
        #expect(try typeName([0, 0, 1, 0xBA] + zeros(100)) == "video/mpeg")
    }
}
