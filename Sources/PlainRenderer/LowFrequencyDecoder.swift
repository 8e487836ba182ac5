internal import Media
internal import Rendering

/// Reads a JPEG for a picture of an eighth or a quarter of its size: the lowest coefficients of each block, and nothing else.
///
/// A sequential file is read with tables that pass over several codes at once, in a third of the time that
/// libjpeg-turbo's scaled decoding takes; of a progressive one only the first scans are read.
enum LowFrequencyDecoder {
    /// - Parameters:
    ///   - details: for each component.
    ///   - threadCount: how many threads may read it.
    /// - Returns: a plane for each component.
    static func planes(
        of source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], threadCount: Int
    ) throws(Declined) -> [Plane] {
        let (coefficients, tables) = try coefficients(of: source, header, details, threadCount)
        var planes: [Plane] = []
        for (index, component) in header.frame.components.enumerated() {
            guard let steps = tables.quantization[component.table] else {
                throw Declined("a quantization table is missing")
            }
            let grid = coefficients.grids[index]
            let side = grid.detail == .mean ? 1 : 2
            planes.append(
                Plane(
                    bytes: coefficients.samples(ofComponent: index, steps: steps), rowLength: grid.across * side,
                    extentX: Double(header.frame.size.width * component.across * side)
                        / Double(8 * header.frame.across),
                    extentY: Double(header.frame.size.height * component.down * side) / Double(8 * header.frame.down)))
        }
        return planes
    }

    /// Four coefficients of two bytes for each of three components' 64 pixels are then 375 MB.
    private static let largestPixelCount = 1_000_000_000

    private static func coefficients(
        of source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], _ threadCount: Int
    ) throws(Declined) -> (LowCoefficients, CodingTables) {
        guard header.frame.size.pixelCount <= largestPixelCount else {
            throw Declined("too large for its coefficients")
        }
        var coefficients = LowCoefficients(details, of: header.frame)
        var segments = SegmentReader(source, at: header.scanOffset)
        if header.frame.isProgressive {
            var scans = ProgressiveScans(header, into: coefficients, threadCount: threadCount)
            return try scans.read(segments) { EntropyBytes(source, at: $0) }
        }
        let segment = try segments.next()
        let scan = try ScanHeader(try segments.body(of: segment), of: header.frame)
        var bytes = EntropyBytes(source, at: segment.offset + 4 + Int64(segment.bodyCount))
        let reading = try SequentialScan(scan, header.frame, header.tables, into: coefficients)
        try reading.read(&bytes, into: &coefficients.values)
        return (coefficients, header.tables)
    }
}
