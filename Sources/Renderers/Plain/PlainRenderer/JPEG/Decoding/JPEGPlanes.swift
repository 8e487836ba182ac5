internal import Formats
internal import Media
internal import Rendering

/// Decodes a JPEG's components, no larger than the largest rendition needs.
enum JPEGPlanes {
    /// - Parameters:
    ///   - wanted: the size of the largest rendition's whole picture, before its EXIF orientation is applied.
    ///   - threadCount: how many threads may work on it.
    /// - Returns: one plane (gray) or three (Y, Cb, Cr).
    static func decoded(
        _ source: Source, _ header: JPEGHeader, for wanted: PixelSize, threadCount: Int
    ) throws(Declined) -> DecodedPlanes {
        let kind = header.frame.isProgressive ? "progressive" : "sequential"
        let factor = min(
            Double(header.frame.size.width) / Double(wanted.width),
            Double(header.frame.size.height) / Double(wanted.height))
        if let reductions = reductions(header.frame, shrunk: factor) {
            do throws(Declined) {
                let (planes, isDivided) = try LowFrequencyDecoder.planes(
                    of: source, header, reductions, threadCount: threadCount)
                return DecodedPlanes(
                    planes: planes, decoder: "\(kind) JPEG: own reader\(isDivided ? ", two parts at once" : "")")
            } catch {
                // libjpeg-turbo reads more kinds of files, and detects damage.
            }
        }
        let shrink = [8, 4, 2].first { Double($0) * Plane.margin <= factor } ?? 1
        return DecodedPlanes(
            planes: try TurboDecoder.planes(of: source, header.frame, shrunk: shrink),
            decoder: "\(kind) JPEG: libjpeg-turbo")
    }

    /// The least ratio of chroma's decoded size to its size in the rendition. It is below 1, since a JPEG stores little
    /// detail in chroma.
    private static let chromaMargin = 0.95

    /// The same if the next larger reduction of a progressive file's chroma would need all of its scans. 0.49 gave a
    /// photograph an SSIM of 0.946 against a full decode.
    private static let progressiveChromaMargin = 0.55

    /// The reduction at which each component is decoded; `nil` if that needs more than the lowest frequencies.
    private static func reductions(_ frame: JPEGFrame, shrunk factor: Double) -> [LowFrequencyCoefficients.Reduction]? {
        guard factor >= 2 * Plane.margin else { return nil }
        // `half` needs all scans of a progressive file.
        let isPartial = frame.isProgressive && factor >= 4 * Plane.margin
        let rooms = frame.components.indices.map { index in
            let component = frame.components[index]
            let coarseness = max(
                Double(frame.across) / Double(component.across), Double(frame.down) / Double(component.down))
            let chromaMargin = isPartial ? progressiveChromaMargin : chromaMargin
            return factor / (coarseness * (index == 0 ? Plane.margin : chromaMargin))
        }
        // Luma's factors may be smaller than chroma's, which is rare.
        guard rooms[0] >= 2 else { return nil }
        return rooms.map { $0 >= 8 ? .eighth : $0 >= 4 || isPartial ? .quarter : .half }
    }
}
