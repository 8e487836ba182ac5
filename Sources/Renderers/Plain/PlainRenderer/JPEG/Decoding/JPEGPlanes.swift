internal import Formats
internal import Media
internal import Rendering
internal import Resampling

/// A JPEG's components, decoded no larger than a rendition needs.
enum JPEGPlanes {
    /// - Parameters:
    ///   - wanted: the size of the largest rendition's whole picture, not turned yet.
    ///   - threadCount: how many threads may work on it.
    /// - Returns: one plane (gray) or three (Y, Cb, Cr).
    static func decoded(
        _ source: Source, _ header: JPEGHeader, for wanted: PixelSize, threadCount: Int
    ) throws(Declined) -> DecodedPlanes {
        let kind = header.frame.isProgressive ? "progressive" : "sequential"
        let factor = min(
            Double(header.frame.size.width) / Double(wanted.width),
            Double(header.frame.size.height) / Double(wanted.height))
        if let details = details(header.frame, shrunk: factor) {
            do throws(Declined) {
                let (planes, isDivided) = try LowFrequencyDecoder.planes(
                    of: source, header, details, threadCount: threadCount)
                return DecodedPlanes(
                    planes: planes, decoder: "\(kind) JPEG: own reader\(isDivided ? ", two parts at once" : "")")
            } catch {
                // libjpeg-turbo reads more kinds of files, and decides what is damaged.
            }
        }
        let shrink = [8, 4, 2].first { Double($0) * Plane.margin <= factor } ?? 1
        return DecodedPlanes(
            planes: try TurboDecoder.planes(of: source, header.frame, shrunk: shrink),
            decoder: "\(kind) JPEG: libjpeg-turbo")
    }

    /// How many times larger than wanted chroma must be: it is finer than what a JPEG keeps of it.
    private static let chromaMargin = 0.95

    /// The same where more of a progressive file's chroma than its mean values would have to be read, which takes all of its
    /// scans: with 0.49 a photograph came to a SSIM of 0.946 against a full decode.
    private static let progressiveChromaMargin = 0.55

    /// Which coefficients of each component are needed; `nil` where the lowest are not enough.
    private static func details(_ frame: Frame, shrunk factor: Double) -> [LowCoefficients.Detail]? {
        guard factor >= 2 * Plane.margin else { return nil }
        // Half of the size takes all scans.
        let isPartial = frame.isProgressive && factor >= 4 * Plane.margin
        let rooms = frame.components.indices.map { index in
            let component = frame.components[index]
            let coarseness = max(
                Double(frame.across) / Double(component.across), Double(frame.down) / Double(component.down))
            let chromaMargin = isPartial ? progressiveChromaMargin : chromaMargin
            return factor / (coarseness * (index == 0 ? Plane.margin : chromaMargin))
        }
        // Luma may be coarser than chroma, if seldom.
        guard rooms[0] >= 2 else { return nil }
        return rooms.map { $0 >= 8 ? .mean : $0 >= 4 || isPartial ? .quarters : .halves }
    }
}
