internal import Formats
internal import Media
internal import Rendering

/// Decodes a JPEG at half, a quarter or an eighth of its size: only the lowest frequencies of each block.
///
/// For a sequential file it uses tables that skip several codes at once. Of a progressive file it reads only the first
/// scans, unless half of its size is wanted.
enum LowFrequencyDecoder {
    /// - Parameters:
    ///   - reductions: one for each component.
    ///   - threadCount: how many threads may read it.
    /// - Returns: a plane for each component, and whether two threads decoded parts of one scan.
    static func planes(
        of source: Source, _ header: JPEGHeader, _ reductions: [LowFrequencyCoefficients.Reduction], threadCount: Int
    ) throws(Declined) -> ([Plane], isDivided: Bool) {
        let frame = header.frame
        let sizes = zip(frame.components, reductions).map { component, reduction in
            PixelSize(
                width: frame.mcusAcross * component.across * reduction.side,
                height: frame.mcusDown * component.down * reduction.side)
        }
        guard frame.size.pixelCount <= largestPixelCount,
            sizes.reduce(0, { $0 + $1.pixelCount }) <= Plane.largestSampleCount
        else { throw Declined("too large for its coefficients") }
        var isDivided = false
        let samples = try PlaneMemory.filled(sizes.map(\.pixelCount)) { planes throws(Declined) in
            if frame.isProgressive {
                try readProgressive(source, header, reductions, threadCount, into: planes)
            } else {
                isDivided = try readSequential(source, header, reductions, threadCount, into: planes)
            }
        }
        let planes = zip(frame.components, reductions).enumerated().map { index, part in
            let (component, side) = (part.0, part.1.side)
            return Plane(
                bytes: samples[index], rowLength: sizes[index].width,
                extentX: Double(frame.size.width * component.across * side) / Double(8 * frame.across),
                extentY: Double(frame.size.height * component.down * side) / Double(8 * frame.down))
        }
        return (planes, isDivided)
    }

    /// At five two-byte coefficients for each 8 × 8 samples of three components, this takes 470 MB.
    private static let largestPixelCount = 1_000_000_000

    /// At seventeen two-byte values and eight bytes of history for each 8 × 8 samples of three components, this takes
    /// 79 MB.
    private static let largestAtHalf = 40_000_000

    private static func readProgressive(
        _ source: Source, _ header: JPEGHeader, _ reductions: [LowFrequencyCoefficients.Reduction], _ threadCount: Int,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) {
        let isHalf = reductions.contains(.half)
        guard !isHalf || header.frame.size.pixelCount <= largestAtHalf else {
            throw Declined("too large for its coefficients")
        }
        let coefficients = LowFrequencyCoefficients(reductions, of: header.frame)
        let segments = MarkerSegmentReader(source, at: header.scanOffset)
        let dataAt = { offset in EntropyCodedData(source, at: offset) }
        let read: LowFrequencyCoefficients
        let tables: JPEGTables
        if isHalf {
            var scans = ProgressiveImageReader(header, segments, into: coefficients)
            (read, tables) = try scans.read(dataAt)
        } else {
            var scans = ProgressivePreviewReader(header, segments, into: coefficients, threadCount: threadCount)
            (read, tables) = try scans.read(dataAt)
        }
        try MCURowWriter(read.grids, of: header.frame, tables, into: planes)
            .write(read, rowCount: header.frame.mcusDown, threadCount: threadCount)
    }

    /// - Returns: whether two threads decoded parts of it.
    private static func readSequential(
        _ source: Source, _ header: JPEGHeader, _ reductions: [LowFrequencyCoefficients.Reduction], _ threadCount: Int,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) -> Bool {
        var segments = MarkerSegmentReader(source, at: header.scanOffset)
        let segment = try segments.next()
        let start = segment.offset + 4 + Int64(segment.bodyCount)
        var row = LowFrequencyCoefficients(reductions, of: header.frame, rowCount: 1)
        let scan = try SequentialScan(
            try ScanHeader(try segments.body(of: segment), of: header.frame), header.frame, header.tables,
            into: try MCURowWriter(row.grids, of: header.frame, header.tables, into: planes))
        if threadCount > 1, let division = try division(of: source, from: start, scan),
            let speculative = SpeculativeMCUs(scan, EntropyCodedData(source, at: division))
        {
            var bytes = EntropyCodedData(source, at: start, dividedAt: division)
            return try scan.read(&bytes, beside: speculative, by: &row.values, threadCount: threadCount)
        }
        var bytes = EntropyCodedData(source, at: start)
        try scan.read(&bytes, into: &row.values)
        return false
    }

    /// The maximum memory, in bytes, for MCUs that a second thread decodes.
    private static let mostSpeculative = 128 << 20
    /// The length in bytes below which a second thread does not pay off.
    private static let leastSpeculative: Int64 = 128 << 10

    /// The offset at which a second thread begins; `nil` if it does not pay off, or the scan has restart markers.
    private static func division(
        of source: Source, from start: Int64, _ scan: SequentialScan
    ) throws(Declined) -> Int64? {
        let length = source.byteCount - start
        guard scan.restartInterval == 0, length >= leastSpeculative, scan.speculativeByteCount <= mostSpeculative else {
            return nil
        }
        let middle = start + length / 2
        do throws(Failure) {
            // Not between 0xFF and the zero byte after it.
            let around = try source.bytes(at: middle - 1, count: 2)
            if around.first != 0xFF { return middle }
            return around.last == 0xFF ? nil : middle + 1
        } catch {
            throw Declined(error.detail)
        }
    }
}
