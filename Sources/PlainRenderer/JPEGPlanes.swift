internal import Media
internal import Rendering

/// A JPEG's components, decoded no larger than a rendition needs.
enum JPEGPlanes {
    /// - Parameter wanted: the size of the largest rendition's whole picture, not turned yet.
    /// - Returns: one plane (gray) or three (Y, Cb, Cr), each in its own resolution.
    static func decoded(_ source: Source, _ header: JPEGHeader, for wanted: PixelSize) throws(Declined) -> [Plane] {
        let factor = min(
            Double(header.frame.size.width) / Double(wanted.width),
            Double(header.frame.size.height) / Double(wanted.height))
        let shrink = [8, 4, 2].first { Double($0) <= factor } ?? 1
        return try TurboDecoder.planes(of: source, header.frame, shrunk: shrink)
    }
}
