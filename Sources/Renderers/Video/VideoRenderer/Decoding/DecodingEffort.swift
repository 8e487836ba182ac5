internal import CFFmpeg
internal import Media
internal import Wire

/// How little decoding will do for the renditions that are wanted.
struct DecodingEffort {
    private(set) var options = Decoder.Options()

    init(for request: RenderRequest, _ stream: Stream, shownBy display: StreamDisplay) {
        options.threadCount = request.threadCount
        options.mayDelay = request.time != .poster
        guard !request.skipsShortcuts, let size = stream.size else { return }
        let shrink = Self.shrink(for: request, size, shownBy: display)
        // Measured at a third of the size: 48 dB and better against the picture with it (nobody tells from 40 on).
        options.skipsLoopFilter = shrink >= 3
        guard stream.canDecodeSmaller else { return }
        // The decoder leaves twice the size that is wanted, for a good filter.
        options.shrinkPowers = shrink >= 16 ? 3 : shrink >= 8 ? 2 : shrink >= 4 ? 1 : 0
    }

    /// By how much the largest rendition is smaller than the frame.
    private static func shrink(
        for request: RenderRequest, _ stored: PixelSize, shownBy display: StreamDisplay
    ) -> Double {
        let aperture = display.aperture(in: stored)
        let size = aperture?.size ?? stored
        let presentation = Presentation(display, .unknown, storedSize: size, aperture: aperture)
        let shrinks = request.targets.map { target in
            let scaled = presentation.orientation.turned(target.layout(of: presentation.shownSize).scaled)
            return min(Double(size.width) / Double(scaled.width), Double(size.height) / Double(scaled.height))
        }
        return shrinks.min() ?? 1
    }
}
