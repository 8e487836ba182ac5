import Media
import Rendering
import TestDeadline
import Testing

@Suite("Averages over squares", .deadline)
struct SquareAveragesTests {
    @Test(
        "Each average is the rounded mean of its square, with colours weighted by alpha",
        arguments: [(1, false), (2, true), (3, false), (4, true)], [1, 2, 7, 40])
    func means(channels: (count: Int, hasAlpha: Bool), side: Int) {
        // The last square of a row and of a column is smaller.
        let size = PixelSize(width: side * 5 + (side + 1) / 2, height: side * 3 + 1)
        let wanted = PixelSize(width: 3, height: 1)
        let squares = SquareAverages.Squares(of: size, for: wanted)
        let factor = min(Double(size.width) / 3, Double(size.height))
        let step = max(1, Int(factor / Plane.margin))
        #expect(squares.count.width == (size.width + step - 1) / step)
        var noise = Noise()
        let pixels = (0..<size.pixelCount).flatMap { place in
            var pixel = (0..<channels.count).map { _ in noise.sample() }
            // Hidden, opaque and translucent ones.
            if channels.hasAlpha, place % 4 < 3 { pixel[channels.count - 1] = place % 4 == 0 ? 0 : 255 }
            return pixel
        }
        let planes = Self.averages(of: pixels, size, squares, channels)
        for y in 0..<squares.count.height {
            for x in 0..<squares.count.width {
                let rows = y * step..<min((y + 1) * step, size.height)
                let columns = x * step..<min((x + 1) * step, size.width)
                let starts = rows.flatMap { row in columns.map { (row * size.width + $0) * channels.count } }
                let place = y * squares.count.width + x
                for channel in 0..<channels.count {
                    let isColour = channels.hasAlpha && channel < channels.count - 1
                    let (sum, weight) = starts.reduce((0, 0)) { sums, start in
                        let weight = isColour ? Int(pixels[start + channels.count - 1]) : 1
                        return (sums.0 + Int(pixels[start + channel]) * weight, sums.1 + weight)
                    }
                    #expect(Int(planes[channel][place]) == (weight == 0 ? 0 : (sum + weight / 2) / weight))
                }
            }
        }
    }

    @Test("A white square of the largest side is white", arguments: [(3, false), (4, true)])
    func largest(channels: (count: Int, hasAlpha: Bool)) {
        let size = PixelSize(width: 1024, height: 512)
        let squares = SquareAverages.Squares(of: size, for: PixelSize(width: 1, height: 1))
        #expect(squares.count == PixelSize(width: 4, height: 2))
        let white = [UInt8](repeating: 255, count: size.pixelCount * channels.count)
        let planes = Self.averages(of: white, size, squares, channels)
        #expect(planes.allSatisfy { $0.allSatisfy { $0 == 255 } })
    }

    private static func averages(
        of pixels: [UInt8], _ size: PixelSize, _ squares: SquareAverages.Squares,
        _ channels: (count: Int, hasAlpha: Bool)
    ) -> [[UInt8]] {
        let counts = Array(repeating: squares.count.pixelCount, count: channels.count)
        let rowLength = size.width * channels.count
        return PlaneMemory.filled(counts) { planes throws(Never) in
            var averages = SquareAverages(squares, hasAlpha: channels.hasAlpha, into: planes)
            for y in 0..<size.height {
                pixels[y * rowLength..<(y + 1) * rowLength].withUnsafeBufferPointer { averages.add($0, at: y) }
            }
        }
    }
}
