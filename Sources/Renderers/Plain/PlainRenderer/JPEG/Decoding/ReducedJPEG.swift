package import Formats
package import Media
internal import Rendering

/// A JPEG embedded in another file, decoded at a reduced size as gray, RGB or inks.
///
/// The caller applies the orientation and profile of the file that embeds it.
package struct ReducedJPEG {
    /// The size in the JPEG's frame header.
    package let storedSize: PixelSize
    /// One, three or four channels.
    package let samples: InterleavedSamples

    /// - Parameters:
    ///   - part: the JPEG's bytes in the file.
    ///   - shown: the size at which the JPEG is shown; the decoded size is larger by the margin that resampling needs.
    ///   - most: the largest size of the result.
    ///   - channelCount: the required number of components.
    ///   - threadCount: how many threads may work on it.
    /// - Throws: if the JPEG is not plain, or is damaged; the caller then leaves it to another decoder.
    package init(
        _ source: Source, _ part: Range<Int64>, shown: PixelSize, atMost most: PixelSize, channelCount: Int,
        threadCount: Int
    ) throws(Declined) {
        let source = source.part(part)
        if channelCount == 4 {
            let inks: InterleavedSamples
            (storedSize, inks) = try CMYKDecoder.inks(of: source) { stored in
                min(Double(stored.width) / Double(shown.width), Double(stored.height) / Double(shown.height))
            }
            samples = inks.reduced(to: most, threadCount: threadCount)
            return
        }
        let header = try JPEGHeader(source)
        guard header.frame.components.count == channelCount else { throw Declined("other components than expected") }
        storedSize = header.frame.size
        var planes = try JPEGPlanes.decoded(source, header, for: shown, threadCount: threadCount).planes
        let size = PixelSize(width: min(planes[0].width, most.width), height: min(planes[0].height, most.height))
        planes = Plane.resized(planes, to: size, hasAlpha: false, threadCount: threadCount)
        samples = InterleavedSamples(
            channelCount == 1 ? planes[0].bytes : ComponentColours.luma.rgb(planes), size: size,
            channelCount: channelCount)
    }
}
