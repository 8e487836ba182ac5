import Media
import TestDeadline
import Testing
import Thumbnailer

/// The expected values come from the algorithm's author's JavaScript (github.com/evanw/thumbhash), run by Node.js over
/// the same formulas as `SamplePicture`'s.
@Suite("ThumbHash", .deadline)
struct ThumbHashTests {
    struct Vector: CustomTestStringConvertible {
        let picture: SamplePicture
        let width: Int
        let height: Int
        let text: String

        init(_ picture: SamplePicture, _ width: Int, _ height: Int, _ text: String) {
            self.picture = picture
            self.width = width
            self.height = height
            self.text = text
        }

        var bitmap: Bitmap { picture.bitmap(width, height) }
        var testDescription: String { "\(picture) \(width)×\(height)" }
    }

    static let vectors = [
        Vector(.green, 1, 1, "1QsoB38I9wiIh4hwj3CI+AiIgIAI94cP"),
        Vector(.halves, 61, 40, "l8UCzaafdoh2iHd4h3iHeJ92+GmH"),
        Vector(.halves, 1, 1, "GNszz3YI9wiIh4hwj3CI+AiIgIAICIgA"),
        Vector(.halves, 31, 77, "V1gDexZvsXind4d4b7H3Fns="),
        Vector(.gradient, 1, 1, "AAgCBwAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        Vector(.gradient, 100, 100, "3wcKPxpwd4dweHh3d3eHd3d3BwiIgH8H"),
        Vector(.gradient, 100, 56, "3/cJNJqAh3dwd3d4iHdwgAf4dw=="),
        Vector(.gradient, 56, 100, "3wcKNBpwB4d3d3d4d3eAgAj4dw=="),
        Vector(.gradient, 7, 5, "WQoOLaCBh4dweIiIh3iIiIBwCPh4"),
        Vector(.squares, 100, 67, "3wcCDYJBMDUhJGJCNjaGREdQ8p7H"),
        Vector(.squares, 33, 100, "3hcGEgIQQgVBZVNFVYTw7js="),
        Vector(.squares, 100, 1, "09UmibZ3dniIiAiIiYd/hwg="),
        Vector(.squares, 1, 100, "UtYmaTgIhmmYiId494eGYFg="),
        Vector(.grey, 100, 75, "HwgKBYA4hneHd3eVYGlDeQAAAAAA"),
        Vector(.fade, 100, 100, "o/iFHQwnoIewiIp3iKCwCvlocIdweId3hw=="),
        Vector(.fade, 64, 36, "oxiGG44noYewh3mhsBn6Z4CHg4d4eIg="),
        Vector(.fade, 36, 64, "o+iFGw4nkLGnd4iQsQrpWIOHgId4eIg="),
    ]

    @Test("Hashes are those of the author's program", arguments: vectors)
    func hash(vector: Vector) {
        #expect(ThumbHash.text(of: vector.bitmap) == vector.text)
    }

    @Test("An opaque picture has one hash, with an alpha channel or without")
    func alphaChannel() {
        let picture = SamplePicture.gradient.bitmap(100, 56)
        #expect(ThumbHash.bytes(of: picture) == ThumbHash.bytes(of: picture.flattened(on: .white)))
        #expect(ThumbHash.bytes(of: picture) == ThumbHash.bytes(of: SamplePicture.gradient.bitmap(100, 56, padding: 7)))
    }

    /// In a picture that is its own mirror image half of the coefficients are nothing but rounding errors, which lie
    /// exactly between two steps: cosines that differ in their last bit round them either way.
    @Test("Only coefficients that are zero may be a step off")
    func symmetric() {
        let expected: [UInt8] = [
            0x57, 0x1b, 0x83, 0x05, 0x00, 0x2c, 0x67, 0x77, 0x77, 0x87, 0x77, 0x87, 0x07, 0x07, 0x78, 0x72, 0x70, 0x08,
            0x07, 0x58, 0x87, 0x88, 0x80, 0x83, 0x58,
        ]
        let hash = ThumbHash.bytes(of: SamplePicture.disc.bitmap(50, 50))
        #expect(hash.prefix(6) == expected.prefix(6))
        let pairs = zip(hash, expected).dropFirst(6).flatMap { [($0 & 15, $1 & 15), ($0 >> 4, $1 >> 4)] }
        #expect(pairs.allSatisfy { $0 == $1 || (Set([$0, $1]) == [7, 8]) })
        #expect(hash.count == expected.count)
    }

    /// A hash keeps the low frequencies only, so smooth pictures come back closely; alpha decides where colours count.
    @Test(
        "A drawn hash looks like its picture, in its shape or in the middle of it",
        arguments: [(96, 54), (54, 96), (64, 64)], [SamplePicture.smooth, .fade, .green])
    func drawing(size: (width: Int, height: Int), picture: SamplePicture) throws {
        let source = picture.bitmap(size.width, size.height)
        let text = ThumbHash.text(of: source)
        let drawn = try #require(ThumbHash.picture(of: text))
        #expect(max(drawn.width, drawn.height) == 32 && drawn.hasAlpha == !source.isOpaque)
        #expect((drawn.width > drawn.height) == (size.width > size.height))
        #expect(Self.distance(drawn, source, part: (1, 1)) < 16)
        let wide = try #require(ThumbHash.picture(of: text, shapedAs: PixelSize(width: 640, height: 160)))
        #expect(wide.size == PixelSize(width: 32, height: 8) && wide.hasAlpha == drawn.hasAlpha)
        let part = Double(size.width) / Double(size.height) / 4
        #expect(Self.distance(wide, source, part: (1, part)) < 16)
    }

    @Test(
        "A text that is no hash is not drawn", arguments: ["", "AAAA", "////////", "1QsoB38I9w", "Not a hash at all"])
    func noHash(text: String) {
        #expect(ThumbHash.picture(of: text) == nil)
    }

    /// The mean distance of a drawn picture's colours, as seen on white, from those of the middle part of another.
    private static func distance(_ drawn: Bitmap, _ source: Bitmap, part: (across: Double, down: Double)) -> Double {
        var sum = 0.0
        for y in 0..<drawn.height {
            for x in 0..<drawn.width {
                let across = (1 - part.across) / 2 + part.across * (Double(x) + 0.5) / Double(drawn.width)
                let down = (1 - part.down) / 2 + part.down * (Double(y) + 0.5) / Double(drawn.height)
                let place = (Int(across * Double(source.width)), Int(down * Double(source.height)))
                let (one, other) = (seen(drawn, x, y), seen(source, place.0, place.1))
                sum += zip(one, other).map { abs($0 - $1) }.reduce(0, +) / 3
            }
        }
        return sum / Double(drawn.width * drawn.height)
    }

    private static func seen(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Double] {
        bitmap.withUnsafeBytes { bytes in
            let at = y * bitmap.bytesPerRow + x * bitmap.channels
            let alpha = bitmap.hasAlpha ? Double(bytes[at + 3]) / 255 : 1
            return (0..<3).map { Double(bytes[at + $0]) * alpha + 255 * (1 - alpha) }
        }
    }
}
