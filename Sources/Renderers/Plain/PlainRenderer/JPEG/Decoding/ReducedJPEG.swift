package import Formats
package import Media
internal import Rendering
internal import Resampling

/// A JPEG that lies within a file, decoded at a reduced size: gray, red, green and blue, or inks. Its orientation and profile
/// are whoever embedded it to know.
package struct ReducedJPEG {
    /// What its frame header says.
    package let storedSize: PixelSize
    /// One, three or four channels.
    package let samples: InterleavedSamples

    /// - Parameters:
    ///   - part: where in the file it lies.
    ///   - shown: the size that it is shown in; the decoded size is larger by what its reduction needs.
    ///   - most: larger than this it need not be.
    ///   - channelCount: how many components it must have.
    ///   - threadCount: how many threads may work on it.
    /// - Throws: where it is not plain, or damaged: whoever else can decode it decides what it shows.
    package init(
        _ source: Source, _ part: Range<Int64>, shown: PixelSize, atMost most: PixelSize, channelCount: Int,
        threadCount: Int
    ) throws(Declined) {
        let source = source.part(part)
        if channelCount == 4 {
            let inks: InterleavedSamples
            (storedSize, inks) = try InkDecoder.inks(of: source) { stored in
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
