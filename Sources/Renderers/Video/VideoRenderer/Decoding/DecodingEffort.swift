internal import CFFmpeg
internal import Media
internal import Wire

/// The cheapest decoding that serves a job's renditions.
struct DecodingEffort {
    private(set) var options = Decoder.Options()

    init(for request: RenderRequest, _ stream: Stream, shownBy display: StreamDisplay) {
        options.threadCount = request.threadCount
        options.mayDelay = request.time != .poster
        guard !request.skipsShortcuts, let size = stream.size else { return }
        let shrink = Self.shrink(for: request, size, shownBy: display)
        // At a third of the size the PSNR against the filtered picture is 48 dB or more; from 40 dB no difference is
        // visible.
        options.skipsLoopFilter = shrink >= 3
        guard stream.canDecodeSmaller else { return }
        // At least twice the wanted size remains, for the scaler's filter.
        options.shrinkPowers = shrink >= 16 ? 3 : shrink >= 8 ? 2 : shrink >= 4 ? 1 : 0
    }

    /// The frame's size divided by the size of the largest rendition.
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
