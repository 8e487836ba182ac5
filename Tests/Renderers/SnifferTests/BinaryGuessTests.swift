import Media
import TestDeadline
import Testing

@Suite("libmagic's answers", .deadline)
struct BinaryGuessTests {
    /// An uncompressed TGA of 4 × 4 pixels in 24 bits.
    private let targa: [UInt8] = [0, 0, 2] + zeros(9) + [4, 0, 4, 0, 24, 0] + [UInt8](repeating: 0x81, count: 48)

    @Test("libmagic's names become the registered ones")
    func names() throws {
        #expect(try typeName(ascii("Rar!\u{1A}\u{7}\0") + zeros(60)) == "application/vnd.rar")
        #expect(
            try typeName(ascii("7z") + [0xBC, 0xAF, 0x27, 0x1C, 0, 4] + zeros(40)) == "application/x-7z-compressed")
    }

    @Test("A TGA file has no signature, and is recognised only with all its pixels")
    func targaSize() throws {
        #expect(try typeName(targa) == "image/x-tga")
        #expect(try typeName(Array(targa.dropLast(8))) != "image/x-tga")
    }

    @Test("Random bytes are of an unknown type")
    func noise() throws {
        var state: UInt32 = 2_463_534_242
        let noise = (0..<5000).map { _ in
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            return UInt8(truncatingIfNeeded: state)
        }
        #expect(try typeName(noise) == "application/octet-stream")
    }
}
