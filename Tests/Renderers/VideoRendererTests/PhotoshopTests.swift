import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("Photoshop documents", .deadline)
struct PhotoshopTests {
    private static let type = MediaType(rawValue: "image/vnd.adobe.photoshop")

    private func plane(_ value: UInt32) -> [UInt32] { [UInt32](repeating: value, count: 12) }

    private func pixel(_ made: MadePhotoshop, _ x: Int = 1, _ y: Int = 1) throws -> [UInt8] {
        try RenderedFile(made.bytes, as: Self.type).pixel(x, y)
    }

    @Test(
        "Pixels are read exactly, compressed or not, large document or not", arguments: [false, true],
        [false, true])
    func plain(isPacked: Bool, isLarge: Bool) throws {
        let planes = (0..<3).map { (plane: Int) -> [UInt32] in (0..<12).map { UInt32($0 * 20 + plane * 5) } }
        let made = MadePhotoshop(planes: planes, isLarge: isLarge, isPacked: isPacked)
        let rendered = try RenderedFile(made.bytes, as: Self.type)
        #expect(rendered.facts.width == 4 && rendered.facts.height == 3 && rendered.facts.kind == .image)
        for place in 0..<12 {
            #expect(rendered.pixel(place % 4, place / 4) == planes.map { UInt8($0[place]) })
        }
    }

    @Test("Samples of 16 bits are rounded, those of 32 bits are linear light")
    func depths() throws {
        let deep = MadePhotoshop(depth: 16, planes: [plane(0xFFFF), plane(0x8080), plane(0x00FF)])
        #expect(try pixel(deep) == [255, 128, 1])
        // sRGB's curve: 0.2140 is 127.5 (IEC 61966-2-1); light over 1 is white, and NaN is black.
        let light = [Float(0.21404), 7.5, .nan].map { plane($0.bitPattern) }
        let float = try pixel(MadePhotoshop(depth: 32, planes: light))
        #expect((127...128).contains(float[0]) && float[1...] == [255, 0])
    }

    @Test("All colour modes are read")
    func modes() throws {
        for mode in [1, 8] { #expect(try pixel(MadePhotoshop(mode: mode, planes: [plane(99)])) == [99, 99, 99]) }
        let palette = (0..<768).map { (place: Int) -> UInt8 in UInt8(place / 256 * 70) + UInt8(place % 256 / 8) }
        #expect(try pixel(MadePhotoshop(mode: 2, planes: [plane(80)], palette: palette)) == [10, 80, 150])
        let inks = MadePhotoshop(mode: 4, planes: [plane(255), plane(128), plane(0), plane(128)])
        #expect(try pixel(inks) == [128, 64, 0])
        let lines = MadePhotoshop(depth: 1, mode: 0, planes: [[0b0100_0000, 0b1011_0000, 0]])
        let rendered = try RenderedFile(lines.bytes, as: Self.type)
        #expect((0..<4).map { rendered.pixel($0, 0)[0] } == [255, 0, 255, 255])
        #expect((0..<4).map { rendered.pixel($0, 1)[0] } == [0, 255, 0, 0])
    }

    @Test("A further plane is a stored selection, unless the document marks it as alpha")
    func transparency() throws {
        // 40 % of (100, 50, 0) on white.
        var made = MadePhotoshop(planes: [plane(193), plane(173), plane(153), plane(102)])
        #expect(try pixel(made) == [193, 173, 153])
        made.layerCount = 3
        #expect(try pixel(made) == [193, 173, 153])
        made.layerCount = -3
        let seen = try pixel(made)
        for (value, wanted) in zip(seen, [100, 50, 0, 102]) { #expect(abs(Int(value) - wanted) <= 1) }
        made.layerCount = nil
        made.depth = 16
        made.planes = made.planes.map { $0.map { $0 * 257 } }
        #expect(try pixel(made).count == 3)
        for block in [("Mt16", []), ("Lr16", [0xFF, 0xFF, 0, 0])] as [(String, [UInt8])] {
            for isLarge in [false, true] {
                made.block = block
                made.isLarge = isLarge
                #expect(try pixel(made).last == 102)
            }
        }
    }

    @Test("A document that breaks off is corrupt, and wrong sizes do not crash")
    func brokenOff() throws {
        for isPacked in [false, true] {
            let whole = MadePhotoshop(planes: [plane(1), plane(2), plane(3)], isPacked: isPacked, layerCount: -1).bytes
            for count in 0..<whole.count {
                let failure = try RenderedFile.failure(Array(whole.prefix(count)), as: Self.type)
                #expect(failure?.code == .corrupt, "\(count) of \(whole.count) bytes")
            }
            for place in 12..<52 {
                for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                    var changed = whole
                    changed[place] = value
                    _ = try RenderedFile.failure(changed, as: Self.type)
                }
            }
        }
    }

    @Test("Pixels over the limit are refused before a row is read")
    func tooLarge() throws {
        let made = MadePhotoshop(width: 30_000, height: 30_000, planes: [[], [], []])
        #expect(try RenderedFile.failure(made.bytes, as: Self.type)?.code == .tooLarge)
    }
}
