import Encoding
import Media
import Testing

/// The expected values come from the algorithm's author's JavaScript (github.com/evanw/thumbhash), run by Node.js over
/// the same formulas as `SamplePicture`'s.
@Suite("ThumbHash")
struct ThumbHashTests {
    struct Vector: CustomTestStringConvertible {
        let picture: SamplePicture
        let width: Int
        let height: Int
        let text: String
        /// The decoded picture's size, its first and its middle pixel, and its mean colour.
        let size: PixelSize
        let first: [UInt8]
        let middle: [UInt8]
        let mean: [Double]

        init(
            _ picture: SamplePicture, _ width: Int, _ height: Int, _ text: String, _ size: (Int, Int), _ first: [UInt8],
            _ middle: [UInt8], _ mean: [Double]
        ) {
            self.picture = picture
            self.width = width
            self.height = height
            self.text = text
            self.size = PixelSize(width: size.0, height: size.1)
            self.first = first
            self.middle = middle
            self.mean = mean
        }

        var bitmap: Bitmap { picture.bitmap(width, height) }
        var testDescription: String { "\(picture) \(width)×\(height)" }
    }

    static let vectors = [
        Vector(
            .green, 1, 1, "1QsoB38I9wiIh4hwj3CI+AiIgIAI94cP", (32, 32), [48, 0, 17], [255, 255, 255],
            [0, 0.997354, 0.005291, 1]),
        Vector(
            .halves, 61, 40, "l8UCzaafdoh2iHd4h3iHeJ92+GmH", (32, 23), [255, 5, 0], [61, 20, 197],
            [0.462963, 0.066138, 0.566138, 1]),
        Vector(
            .halves, 1, 1, "GNszz3YI9wiIh4hwj3CI+AiIgIAICIgA", (32, 32), [0, 0, 0], [255, 255, 255],
            [0.981481, 0.044974, 0.116402, 1]),
        Vector(
            .halves, 31, 77, "V1gDexZvsXind4d4b7H3Fns=", (14, 32), [219, 8, 51], [204, 9, 65],
            [0.722222, 0.039683, 0.333333, 1]),
        Vector(
            .gradient, 1, 1, "AAgCBwAAAAAAAAAAAAAAAAAAAAAAAAAA", (32, 32), [3, 0, 0], [3, 0, 0],
            [0.013228, 0, 0, 1]),
        Vector(
            .gradient, 100, 100, "3wcKPxpwd4dweHh3d3eHd3d3BwiIgH8H", (32, 32), [0, 0, 110], [131, 127, 135],
            [0.494709, 0.478836, 0.502646, 1]),
        Vector(
            .gradient, 100, 56, "3/cJNJqAh3dwd3d4iHdwgAf4dw==", (32, 18), [0, 10, 133], [130, 139, 123],
            [0.478836, 0.494709, 0.502646, 1]),
        Vector(
            .gradient, 56, 100, "3wcKNBpwB4d3d3d4d3eAgAj4dw==", (18, 32), [0, 0, 109], [134, 125, 134],
            [0.494709, 0.478836, 0.502646, 1]),
        Vector(
            .gradient, 7, 5, "WQoOLaCBh4dweIiIh3iIiIBwCPh4", (32, 23), [35, 20, 48], [123, 111, 44],
            [0.505291, 0.489418, 0.195767, 1]),
        Vector(
            .squares, 100, 67, "3wcCDYJBMDUhJGJCNjaGREdQ8p7H", (32, 23), [130, 100, 145], [122, 133, 120],
            [0.494709, 0.478836, 0.502646, 1]),
        Vector(
            .squares, 33, 100, "3hcGEgIQQgVBZVNFVYTw7js=", (9, 32), [0, 0, 23], [155, 146, 127],
            [0.494709, 0.44709, 0.486772, 1]),
        Vector(
            .squares, 100, 1, "09UmibZ3dniIiAiIiYd/hwg=", (32, 5), [0, 56, 0], [255, 0, 255],
            [0.425926, 0, 0.481481, 1]),
        Vector(
            .squares, 1, 100, "UtYmaTgIhmmYiId494eGYFg=", (5, 32), [0, 112, 0], [255, 0, 255],
            [0.431217, 0.002646, 0.42328, 1]),
        Vector(
            .grey, 100, 75, "HwgKBYA4hneHd3eVYGlDeQAAAAAA", (32, 23), [20, 16, 14], [131, 127, 125],
            [0.505291, 0.489418, 0.481481, 1]),
        Vector(
            .fade, 100, 100, "o/iFHQwnoIewiIp3iKCwCvlocIdweId3hw==", (32, 32), [128, 128, 134, 0],
            [132, 136, 131, 138],
            [0.574074, 0.589947, 0.502646, 0.466667]),
        Vector(
            .fade, 64, 36, "oxiGG44noYewh3mhsBn6Z4CHg4d4eIg=", (32, 19), [137, 111, 130, 28], [139, 133, 130, 125],
            [0.60582, 0.558201, 0.502646, 0.466667]),
        Vector(
            .fade, 36, 64, "o+iFGw4nkLGnd4iQsQrpWIOHgId4eIg=", (19, 32), [111, 137, 130, 28], [133, 139, 130, 125],
            [0.558201, 0.60582, 0.502646, 0.466667]),
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

    @Test("A decoded picture has the reference's size and its pixels to within one level", arguments: vectors)
    func decoded(vector: Vector) throws {
        let bitmap = try #require(ThumbHash.bitmap(of: ThumbHash.bytes(of: vector.bitmap)))
        #expect(bitmap.size == vector.size)
        let hasAlpha = vector.first.count == 4
        #expect(bitmap.hasAlpha == hasAlpha)
        let pixels = [bitmap.pixel(0, 0), bitmap.pixel(bitmap.width / 2, bitmap.height / 2)]
        for (pixel, expected) in zip(pixels, [vector.first, vector.middle]) {
            #expect(zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(pixel), \(expected)")
        }
    }

    @Test("The mean colour is the reference's", arguments: vectors)
    func mean(vector: Vector) throws {
        let colour = try #require(ThumbHash.averageColour(of: ThumbHash.bytes(of: vector.bitmap)))
        let values = [colour.red, colour.green, colour.blue, colour.alpha]
        #expect(zip(values, vector.mean).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("Bytes that are no hash have no picture")
    func malformed() {
        let hash = ThumbHash.bytes(of: SamplePicture.fade.bitmap(64, 36))
        for count in 0..<hash.count {
            #expect(ThumbHash.bitmap(of: Array(hash.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(ThumbHash.averageColour(of: []) == nil)
        // A shorter side of no steps at all.
        var flat = hash
        flat[3] &= 0xF8
        #expect(ThumbHash.bitmap(of: flat) == nil)
    }
}
