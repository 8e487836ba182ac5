package import Media

/// One component of a picture: a grid of samples, each of which stands for a rectangle of the picture.
package struct Plane {
    /// The largest number of decoded samples that are held at once; larger pictures go to libvips, which streams them.
    package static let largestSampleCount = 128 << 20

    /// The least factor by which a decoded picture must be larger than wanted, so that detail that it cannot hold does
    /// not show as false patterns. With 1.85 a zone plate is within 0.02 (SSIM) of a margin of 2; with 1 it is 0.1
    /// worse.
    package static let margin = 1.85

    /// The columns of samples that hold a part of the picture.
    package var width: Int
    /// The rows of samples that hold a part of the picture.
    package var height: Int
    /// The distance from one row to the next, in samples; at least `width`.
    package var rowLength: Int
    /// Rows from the top; at least `rowLength` × `height`.
    package var bytes: [UInt8]
    /// The picture's width in samples: less than `width`, by less than 1, if the last column reaches beyond its edge.
    package var extentX: Double
    /// The picture's height in samples: less than `height`, by less than 1, if the last row reaches beyond its edge.
    package var extentY: Double

    /// A plane over decoded rows; it keeps the part inside the picture.
    package init(bytes: [UInt8], rowLength: Int, extentX: Double, extentY: Double) {
        width = Int(extentX.rounded(.up))
        height = Int(extentY.rounded(.up))
        precondition(width <= rowLength && rowLength * height <= bytes.count, "the rows hold the picture")
        self.bytes = bytes
        self.rowLength = rowLength
        self.extentX = extentX
        self.extentY = extentY
    }

    /// Resizes the planes of one picture.
    ///
    /// - Parameters:
    ///   - size: the size of the whole picture.
    ///   - area: the part of the resized picture to keep; all of it if `nil`.
    ///   - hasAlpha: whether the last plane is the alpha of the others; if so, all planes have the same grid.
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
            // Samples that keep their places are copied below, whatever the alpha.
            if !across.isIdentity || !down.isIdentity {
                let pixels = FloatResampling(
                    .planes(planes), size: PixelSize(width: planes[0].width, height: planes[0].height),
                    channelCount: planes.count, hasAlpha: true, across: across, down: down
                ).pixels(threadCount: threadCount)
                return separated(pixels, channelCount: planes.count).map(plane)
            }
        }
        // Planes of one grid, such as the two chroma planes, share their weights.
        var last: (plane: Plane, weights: FixedPointResampling.PlaneWeights)?
        func weights(of plane: Plane) -> FixedPointResampling.PlaneWeights {
            if let last, last.plane.hasGrid(of: plane) { return last.weights }
            let (across, down) = plane.weights(to: size, keeping: area)
            let weights = FixedPointResampling.PlaneWeights(across, down)
            last = (plane, weights)
            return weights
        }
        return planes.map { old in
            plane(FixedPointResampling.resized(old, by: weights(of: old), threadCount: threadCount))
        }
    }

    /// The channels of interleaved pixels.
    private static func separated(_ pixels: [UInt8], channelCount: Int) -> [[UInt8]] {
        (0..<channelCount).map { channel in
            let count = pixels.count / channelCount
            return [UInt8](unsafeUninitializedCapacity: count) { target, written in
                pixels.withUnsafeBufferPointer { pixels in
                    for index in 0..<count { target[index] = pixels[index &* channelCount &+ channel] }
                }
                written = count
            }
        }
    }

    /// Interleaves the samples of planes of one size, without gaps between their rows.
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
            Weights(.lanczos, from: width, extent: extentX, to: size.width, keeping: columns),
            Weights(.lanczos, from: height, extent: extentY, to: size.height, keeping: rows)
        )
    }

    private func hasGrid(of other: Plane) -> Bool {
        width == other.width && height == other.height && extentX == other.extentX && extentY == other.extentY
    }
}
