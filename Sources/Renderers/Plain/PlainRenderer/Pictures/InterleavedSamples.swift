package import Media
internal import Rendering

/// A picture with interleaved channels: `channelCount` bytes per pixel, in rows from the top without gaps.
package struct InterleavedSamples {
    /// The picture's width and height in pixels.
    package let size: PixelSize
    /// The number of bytes per pixel.
    package let channelCount: Int
    /// The pixels, in rows from the top without gaps.
    package let bytes: [UInt8]

    /// - Parameter bytes: `size.pixelCount` × `channelCount` bytes.
    package init(_ bytes: [UInt8], size: PixelSize, channelCount: Int) {
        precondition(bytes.count == size.pixelCount * channelCount, "the rows have no gaps")
        self.size = size
        self.channelCount = channelCount
        self.bytes = bytes
    }

    /// The picture, resized to `most` if it is larger.
    package func reduced(to most: PixelSize, threadCount: Int) -> InterleavedSamples {
        let target = PixelSize(width: min(size.width, most.width), height: min(size.height, most.height))
        if target == size { return self }
        let planes = Plane.resized(
            (0..<channelCount).map(plane), to: target, hasAlpha: false, threadCount: threadCount)
        return InterleavedSamples(Plane.interleaved(planes), size: target, channelCount: channelCount)
    }

    private func plane(_ channel: Int) -> Plane {
        let samples = [UInt8](unsafeUninitializedCapacity: size.pixelCount) { target, written in
            bytes.withUnsafeBufferPointer { bytes in
                for index in 0..<size.pixelCount { target[index] = bytes[index &* channelCount &+ channel] }
            }
            written = size.pixelCount
        }
        return Plane(
            bytes: samples, rowLength: size.width, extentX: Double(size.width), extentY: Double(size.height))
    }
}
