internal import Media
internal import Rendering

/// Reads a JPEG for a picture of half, a quarter or an eighth of its size: the lowest coefficients of each block, and
/// nothing else.
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
            let side = grid.detail.side
            planes.append(
                Plane(
                    bytes: BlockSamples(coefficients, ofComponent: index, steps: steps).bytes(threadCount: threadCount),
                    rowLength: grid.across * side,
                    extentX: Double(header.frame.size.width * component.across * side)
                        / Double(8 * header.frame.across),
                    extentY: Double(header.frame.size.height * component.down * side) / Double(8 * header.frame.down)))
        }
        return planes
    }

    /// Four coefficients of two bytes for each of three components' 64 pixels are then 375 MB.
    private static let largestPixelCount = 1_000_000_000

    /// Sixteen coefficients of two bytes for each of three components' 64 pixels are then 60 MB.
    private static let largestInHalves = 40_000_000

    private static func coefficients(
        of source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], _ threadCount: Int
    ) throws(Declined) -> (LowCoefficients, CodingTables) {
        guard header.frame.size.pixelCount <= largestPixelCount else {
            throw Declined("too large for its coefficients")
        }
        guard header.frame.size.pixelCount <= largestInHalves || !details.contains(.halves) else {
            throw Declined("too large for sixteen coefficients a block")
        }
        var coefficients = LowCoefficients(details, of: header.frame)
        var segments = SegmentReader(source, at: header.scanOffset)
        if header.frame.isProgressive {
            var scans = ProgressiveScans(header, into: coefficients, threadCount: threadCount)
            return try scans.read(segments) { EntropyBytes(source, at: $0) }
        }
        let segment = try segments.next()
        let scan = try ScanHeader(try segments.body(of: segment), of: header.frame)
        let start = segment.offset + 4 + Int64(segment.bodyCount)
        let reading = try SequentialScan(scan, header.frame, header.tables, into: coefficients)
        if threadCount > 1, let division = try division(of: source, from: start, reading),
            let later = LaterUnits(
                reading, EntropyBytes(source, at: division), atMost: reading.layout.across * reading.layout.down)
        {
            var bytes = EntropyBytes(source, at: start, dividedAt: division)
            try reading.read(&bytes, beside: later, into: &coefficients.values)
        } else {
            var bytes = EntropyBytes(source, at: start)
            try reading.read(&bytes, into: &coefficients.values)
        }
        return (coefficients, header.tables)
    }

    /// Shorter scans are not worth a thread.
    private static let leastDivided: Int64 = 128 << 10

    /// Where another thread may begin; `nil` where it is not worth it, or markers divide the scan.
    private static func division(
        of source: Source, from start: Int64, _ scan: SequentialScan
    ) throws(Declined) -> Int64? {
        let length = source.byteCount - start
        guard scan.restartInterval == 0, length >= leastDivided else { return nil }
        let middle = start + length / 2
        do throws(Failure) {
            // Not between 0xFF and the zero behind it.
            let around = try source.bytes(at: middle - 1, count: 2)
            if around.first != 0xFF { return middle }
            return around.last == 0xFF ? nil : middle + 1
        } catch {
            throw Declined(error.detail)
        }
    }
}
