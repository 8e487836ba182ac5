import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("Orientation", .deadline)
struct OrientationTests {
    /// Letters stand for pixels: the stored picture is `abc` over `def`. The shown pictures follow EXIF's
    /// table of the positions of row 0 and column 0.
    @Test(
        "A stored picture is rotated by each of EXIF's eight values",
        arguments: [
            (Orientation.upright, ["abc", "def"]), (.mirrored, ["cba", "fed"]), (.halfTurn, ["fed", "cba"]),
            (.flipped, ["def", "abc"]), (.transposed, ["ad", "be", "cf"]), (.quarterTurn, ["da", "eb", "fc"]),
            (.transversed, ["fc", "eb", "da"]), (.threeQuarterTurn, ["cf", "be", "ad"]),
        ])
    func turns(orientation: Orientation, shown: [String]) {
        let stored = PixelSize(width: 3, height: 2)
        let raster = Raster(size: stored, channels: 3, bytes: "abcdef".utf8.flatMap { [$0, $0 &+ 100, $0 &+ 50] })
        let size = orientation.turned(stored)
        var bytes = [UInt8](repeating: 0, count: size.pixelCount * 3)
        bytes.withUnsafeMutableBytes { raster.write(PixelArea(size: size), shownBy: orientation, to: $0) }
        let rows = (0..<size.height).map { row in
            String(decoding: (0..<size.width).map { bytes[(row * size.width + $0) * 3] }, as: UTF8.self)
        }
        #expect(rows == shown)
        #expect(bytes[1] == bytes[0] &+ 100 && bytes[2] == bytes[0] &+ 50, "channels keep their order")
    }

    @Test("An area of the shown picture is the same part of it in any orientation", arguments: Orientation.allCases)
    func cuts(orientation: Orientation) {
        let stored = PixelSize(width: 5, height: 4)
        let raster = Raster(size: stored, channels: 4, bytes: (0..<80).map { UInt8($0) })
        let whole = orientation.turned(stored)
        var all = [UInt8](repeating: 0, count: whole.pixelCount * 4)
        all.withUnsafeMutableBytes { raster.write(PixelArea(size: whole), shownBy: orientation, to: $0) }
        let area = PixelArea(x: 1, y: 2, size: PixelSize(width: 2, height: 2))
        var part = [UInt8](repeating: 0, count: 16)
        part.withUnsafeMutableBytes { raster.write(area, shownBy: orientation, to: $0) }
        func row(_ y: Int) -> ArraySlice<UInt8> {
            let start = (y * whole.width + 1) * 4
            return all[start..<start + 8]
        }
        #expect(part == Array(row(2) + row(3)))
    }

    private static let matrices: [(Orientation, [Int32])] = [
        (.upright, [1, 0, 0, 1]), (.mirrored, [-1, 0, 0, 1]), (.halfTurn, [-1, 0, 0, -1]), (.flipped, [1, 0, 0, -1]),
        (.transposed, [0, 1, 1, 0]), (.quarterTurn, [0, 1, -1, 0]), (.transversed, [0, -1, -1, 0]),
        (.threeQuarterTurn, [0, -1, 1, 0]),
    ]

    /// a, b, c, d of the matrices in ISO/IEC 14496-12's track headers: cameras write the four turns, some tools the
    /// mirrors.
    @Test("A display matrix becomes the equal EXIF value", arguments: matrices)
    func displayMatrices(orientation: Orientation, matrix: [Int32]) {
        let fixed = matrix.map { $0 * 65_536 }
        #expect(DisplayMatrix(a: fixed[0], b: fixed[1], c: fixed[2], d: fixed[3]).orientation == orientation)
    }

    @Test("The matrix and the orientation map a point to the same place", arguments: matrices)
    func displayMatricesMovePoints(orientation: Orientation, matrix: [Int32]) {
        // The corners of a stored picture around the origin are mapped by the matrix, and found there by the
        // orientation.
        let stored = PixelSize(width: 2, height: 2)
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let fromMiddle = (Int32(x * 2 - 1), Int32(y * 2 - 1))
            let shownX = matrix[0] * fromMiddle.0 + matrix[2] * fromMiddle.1
            let shownY = matrix[1] * fromMiddle.0 + matrix[3] * fromMiddle.1
            let found = orientation.stored(x: Int(shownX + 1) / 2, y: Int(shownY + 1) / 2, in: stored)
            #expect(found == (x, y))
        }
    }

    @Test("A matrix of extreme numbers has an orientation")
    func extremeMatrix() {
        #expect(DisplayMatrix(a: .min, b: .max, c: .min, d: .min).orientation == .halfTurn)
    }
}
