package import Media

/// One component of a picture: a grid of samples, each of which stands for a rectangle of the picture.
package struct Plane {
    /// The samples that are held decoded at once, at most; larger pictures are left to libvips, which streams them.
    package static let largestSampleCount = 128 << 20

    /// How many times larger than wanted a decoded picture must be, so that what it cannot hold does not show as false
    /// patterns: with 1.85 a zone plate comes out within 0.02 (SSIM) of a margin of 2, with 1 by 0.1 worse.
    package static let margin = 1.85

    package var width: Int
    package var height: Int
    /// Samples from one row to the next, at least `width`.
    package var rowLength: Int
    /// Rows from the top; at least `rowLength` × `height`.
    package var bytes: [UInt8]
    /// How many samples the whole picture is wide and high: less than `width` and `height`, by less than 1, where the last
    /// column or row reaches over the picture's edge.
    package var extentX: Double
    package var extentY: Double

    /// A plane over decoded rows, of which the part inside the picture counts.
    package init(bytes: [UInt8], rowLength: Int, extentX: Double, extentY: Double) {
        width = Int(extentX.rounded(.up))
        height = Int(extentY.rounded(.up))
        precondition(width <= rowLength && rowLength * height <= bytes.count, "the rows hold the picture")
        self.bytes = bytes
        self.rowLength = rowLength
        self.extentX = extentX
        self.extentY = extentY
    }

    /// Planes of one picture in another size.
    ///
    /// - Parameters:
    ///   - size: of the whole picture.
    ///   - area: the part of the resized picture that is kept; all of it where absent.
    ///   - hasAlpha: whether the last plane says how opaque the others are; all are then of one grid.
    ///   - threadCount: how many threads may work on it.
    package static func resized(
        _ planes: [Plane], to size: PixelSize, keeping area: PixelArea? = nil, hasAlpha: Bool, threadCount: Int
    ) -> [Plane] {
        let area = area ?? PixelArea(size: size)
        func plane(_ bytes: [UInt8]) -> Plane {
            Plane(
                bytes: bytes, rowLength: area.size.width, extentX: Double(area.size.width),
                extentY: Double(area.size.height))
        }
        if hasAlpha {
            let (across, down) = planes[0].weights(to: size, keeping: area)
            // Nothing is weighed where nothing is mixed, so that each sample stays what it is.
            if across.length > 1 || down.length > 1 {
                return CoveredResizer(planes, across, down).result(threadCount: threadCount).map(plane)
            }
        }
        // Planes of one resolution, as chroma's are, have their weights in common.
        var last: (plane: Plane, resizer: PlaneResizer)?
        func resizer(of plane: Plane) -> PlaneResizer {
            if let last, last.plane.hasGrid(of: plane) { return last.resizer }
            let (across, down) = plane.weights(to: size, keeping: area)
            let resizer = PlaneResizer(across, down)
            last = (plane, resizer)
            return resizer
        }
        return planes.map { plane(resizer(of: $0).result(of: $0, threadCount: threadCount)) }
    }

    /// The samples of planes of one size, without gaps between their rows, side by side.
    package static func interleaved(_ planes: [Plane]) -> [UInt8] {
        let (step, count) = (planes.count, planes[0].bytes.count)
        return [UInt8](unsafeUninitializedCapacity: count * step) { target, written in
            for (channel, plane) in planes.enumerated() {
                precondition(plane.bytes.count == count, "planes of one size")
                plane.bytes.withUnsafeBufferPointer { samples in
                    for index in 0..<count { target[index &* step &+ channel] = samples[index] }
                }
            }
            written = count * step
        }
    }

    private func weights(to size: PixelSize, keeping area: PixelArea) -> (across: Weights, down: Weights) {
        let columns = area.x..<area.x + area.size.width
        let rows = area.y..<area.y + area.size.height
        return (
            Weights(from: width, extent: extentX, to: size.width, keeping: columns),
            Weights(from: height, extent: extentY, to: size.height, keeping: rows)
        )
    }

    private func hasGrid(of other: Plane) -> Bool {
        width == other.width && height == other.height && extentX == other.extentX && extentY == other.extentY
    }
}
