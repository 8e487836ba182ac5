import Foundation
import Media
import Rendering
import TestDeadline
import Testing

@Suite("Planes in another size", .deadline)
struct PlaneTests {
    @Test(
        "Every sample is the one that the kernel's formula gives",
        arguments: [1, 2, 3, 5, 15, 16, 17, 33, 100], [1, 3, 4, 5, 16, 47, 210])
    func formula(old: Int, new: Int) {
        var noise = Noise()
        for (width, height) in [(old, 29), (29, old)] {
            let size = PixelSize(width: width == old ? new : 13, height: height == old ? new : 13)
            let plane = Plane(
                bytes: (0..<width * height).map { _ in noise.sample() }, rowLength: width, extentX: Double(width),
                extentY: Double(height))
            let resized = Plane.resized([plane], to: size, hasAlpha: false, threadCount: 2)[0]
            let expected = Self.resized(plane, to: size)
            let differences = zip(resized.bytes, expected).map { abs(Double($0) - $1) }
            #expect(resized.width == size.width && resized.height == size.height)
            #expect(differences.max()! <= 1.01, "\(width) × \(height) as \(size)")
        }
    }

    @Test("A part is the same as in the whole plane")
    func part() {
        var noise = Noise()
        let plane = Plane(
            bytes: (0..<90 * 70).map { _ in noise.sample() }, rowLength: 90, extentX: 89.4, extentY: 70)
        let size = PixelSize(width: 37, height: 29)
        let whole = Plane.resized([plane], to: size, hasAlpha: false, threadCount: 1)[0]
        let area = PixelArea(x: 5, y: 9, size: PixelSize(width: 11, height: 20))
        let part = Plane.resized([plane], to: size, keeping: area, hasAlpha: false, threadCount: 1)[0]
        for y in 0..<20 {
            #expect(Array(part.bytes[y * 11..<y * 11 + 11]) == Array(whole.bytes[(y + 9) * 37 + 5..<(y + 9) * 37 + 16]))
        }
    }

    /// By floating point: Lanczos' kernel of three lobes where a side shrinks, Catmull and Rom's cubic where it grows.
    private static func resized(_ plane: Plane, to size: PixelSize) -> [Double] {
        let across = weights(from: plane.width, to: size.width)
        let down = weights(from: plane.height, to: size.height)
        return (0..<size.pixelCount).map { place in
            let (columns, rows) = (across[place % size.width], down[place / size.width])
            let sum = rows.indices.reduce(0.0) { sum, y in
                sum + rows[y]
                    * columns.indices.reduce(0.0) { $0 + columns[$1] * Double(plane.bytes[y * plane.width + $1]) }
            }
            return min(255, max(0, sum))
        }
    }

    private static func weights(from count: Int, to newCount: Int) -> [[Double]] {
        let scale = Double(count) / Double(newCount)
        return (0..<newCount).map { place in
            let centre = (Double(place) + 0.5) * scale - 0.5
            let values = (0..<count).map { kernel((Double($0) - centre) / max(1, scale), isShrinking: scale > 1) }
            let sum = values.reduce(0, +)
            return values.map { $0 / sum }
        }
    }

    private static func kernel(_ distance: Double, isShrinking: Bool) -> Double {
        let x = abs(distance)
        if isShrinking {
            func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
            return x < 3 ? sinc(x) * sinc(x / 3) : 0
        }
        return x < 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }
}
