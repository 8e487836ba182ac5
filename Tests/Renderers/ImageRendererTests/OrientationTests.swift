import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Orientation", .deadline)
struct OrientationTests {
    /// An F of 6 × 8 pixels, as shown.
    static let shown = [
        "#####.", "#.....", "#.....", "####..", "#.....", "#.....", "#.....", "#.....",
    ].map { Array($0.utf8) }

    /// The rows that are stored so that the orientation turns them into `shown`: EXIF says where the stored picture's first
    /// row and first column lie.
    static func stored(_ orientation: Int) -> [[UInt8]] {
        let transposed = (0..<6).map { x in shown.map { $0[x] } }
        return switch orientation {
        case 1: shown
        case 2: shown.map { $0.reversed() }
        case 3: shown.reversed().map { $0.reversed() }
        case 4: shown.reversed()
        case 5: transposed  // first row at the left, first column at the top
        case 6: transposed.reversed()  // row at the right, column at the top
        case 7: transposed.reversed().map { $0.reversed() }  // right, bottom
        default: transposed.map { $0.reversed() }  // left, bottom
        }
    }

    static func tiff(_ orientation: Int) -> [UInt8] {
        let rows = stored(orientation)
        let pixels = rows.flatMap { $0.map { $0 == UInt8(ascii: "#") ? UInt8(0) : 255 } }
        return TIFFFile(pages: [
            .init(width: rows[0].count, height: rows.count, orientation: orientation, pixels: pixels)
        ]).bytes
    }

    static func letters(_ bitmap: Bitmap) -> [String] {
        (0..<bitmap.height).map { y in
            String((0..<bitmap.width).map { bitmap.pixel($0, y)[0] < 128 ? "#" : "." })
        }
    }

    @Test("Every orientation shows the same F, and its facts say the size as shown", arguments: 1...8)
    func allAlike(orientation: Int) throws {
        let result = try TestRun(.tiff)(Self.tiff(orientation), into: "100x100")
        #expect(Self.letters(result.bitmaps[0]) == Self.shown.map { String(decoding: $0, as: UTF8.self) })
        #expect(result.facts.width == 6 && result.facts.height == 8)
        #expect(result.facts.orientation == (orientation == 1 ? nil : orientation))
    }

    @Test("A crop is taken from the picture as shown", arguments: 1...8)
    func cutAsShown(orientation: Int) throws {
        // Smaller than the box: the box's shape, 6 × 3, is cut out, from the top or from the middle.
        let top = try TestRun(.tiff)(Self.tiff(orientation), into: "100x50", fit: .cover, gravity: .top)
        #expect(Self.letters(top.bitmaps[0]) == ["#####.", "#.....", "#....."])
        let centre = try TestRun(.tiff)(Self.tiff(orientation), into: "100x50", fit: .cover)
        #expect(Self.letters(centre.bitmaps[0]) == ["#.....", "####..", "#....."])
        // Left of the middle.
        let narrow = try TestRun(.tiff)(Self.tiff(orientation), into: "25x100", fit: .cover)
        #expect(Self.letters(narrow.bitmaps[0]) == ["##", "..", "..", "##", "..", "..", "..", ".."])
    }

    @Test("EXIF orients a JPEG, at full size and shrunk while loading", arguments: 1...8, ["64x64", "12x12"])
    func jpeg(orientation: Int, box: String) throws {
        let result = try TestRun(.jpeg)(JPEGFile.oriented(JPEGFile.letter, orientation), into: box)
        let isSideways = orientation >= 5
        #expect(result.facts.width == (isSideways ? 48 : 32))
        #expect(result.facts.height == (isSideways ? 32 : 48))
        let bitmap = result.bitmaps[0]
        // Where the F's foot (stored at the lower left) and the empty corner (lower right) are shown.
        let (foot, empty): ((Double, Double), (Double, Double)) =
            switch orientation {
            case 1: ((0.1, 0.9), (0.9, 0.9))
            case 2: ((0.9, 0.9), (0.1, 0.9))
            case 3: ((0.9, 0.1), (0.1, 0.1))
            case 4: ((0.1, 0.1), (0.9, 0.1))
            case 5: ((0.9, 0.1), (0.9, 0.9))
            case 6: ((0.1, 0.1), (0.1, 0.9))
            case 7: ((0.1, 0.9), (0.1, 0.1))
            default: ((0.9, 0.9), (0.9, 0.1))
            }
        func value(_ place: (Double, Double)) -> Int {
            bitmap.pixel(Int(place.0 * Double(bitmap.width)), Int(place.1 * Double(bitmap.height)))[0]
        }
        #expect(value(foot) < 60 && value(empty) > 200)
    }

    @Test("eXIf orients a PNG")
    func png() throws {
        let file = PNGFile(width: 2, height: 1, colourType: 0, chunks: [("eXIf", EXIFBlock.bytes(orientation: 6))])
        let result = try TestRun(.png)(file.bytes(rows: [[10, 200]]), into: "10x10")
        #expect(result.facts.width == 1 && result.facts.height == 2)
        #expect(result.bitmaps[0].pixel(0, 0) == [10, 10, 10] && result.bitmaps[0].pixel(0, 1) == [200, 200, 200])
    }
}
