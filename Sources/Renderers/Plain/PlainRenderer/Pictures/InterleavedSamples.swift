package import Media
internal import Resampling

/// A picture whose channels lie side by side: `channelCount` bytes a pixel, rows from the top without gaps.
package struct InterleavedSamples {
    package let size: PixelSize
    package let channelCount: Int
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8], size: PixelSize, channelCount: Int) {
        precondition(bytes.count == size.pixelCount * channelCount, "the rows have no gaps")
        self.size = size
        self.channelCount = channelCount
        self.bytes = bytes
    }

    /// The same picture with no more samples than that across and down.
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
