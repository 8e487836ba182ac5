internal import Formats
internal import Media
internal import Rendering
internal import Resampling

/// Reads a JPEG for a picture of half, a quarter or an eighth of its size: the lowest coefficients of each block, and
/// nothing else.
///
/// A sequential file is read with tables that pass over several codes at once; of a progressive one only the first scans are
/// read, unless half of its size is wanted.
enum LowFrequencyDecoder {
    /// - Parameters:
    ///   - details: for each component.
    ///   - threadCount: how many threads may read it.
    /// - Returns: a plane for each component, and whether two threads read parts of one scan.
    static func planes(
        of source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], threadCount: Int
    ) throws(Declined) -> ([Plane], isDivided: Bool) {
        let frame = header.frame
        let sizes = zip(frame.components, details).map { component, detail in
            PixelSize(
                width: frame.unitsAcross * component.across * detail.side,
                height: frame.unitsDown * component.down * detail.side)
        }
        guard frame.size.pixelCount <= largestPixelCount,
            sizes.reduce(0, { $0 + $1.pixelCount }) <= Plane.largestSampleCount
        else { throw Declined("too large for its coefficients") }
        var isDivided = false
        let samples = try PlaneMemory.filled(sizes.map(\.pixelCount)) { planes throws(Declined) in
            if frame.isProgressive {
                try readProgressive(source, header, details, threadCount, into: planes)
            } else {
                isDivided = try readSequential(source, header, details, threadCount, into: planes)
            }
        }
        let planes = zip(frame.components, details).enumerated().map { index, part in
            let (component, side) = (part.0, part.1.side)
            return Plane(
                bytes: samples[index], rowLength: sizes[index].width,
                extentX: Double(frame.size.width * component.across * side) / Double(8 * frame.across),
                extentY: Double(frame.size.height * component.down * side) / Double(8 * frame.down))
        }
        return (planes, isDivided)
    }

    /// Five coefficients of two bytes for each of three components' 64 pixels are then 470 MB.
    private static let largestPixelCount = 1_000_000_000

    /// Seventeen numbers of two bytes and a mask of eight for each of three components' 64 pixels are then 79 MB.
    private static let largestInHalves = 40_000_000

    private static func readProgressive(
        _ source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], _ threadCount: Int,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) {
        let isHalf = details.contains(.halves)
        guard !isHalf || header.frame.size.pixelCount <= largestInHalves else {
            throw Declined("too large for its coefficients")
        }
        let coefficients = LowCoefficients(details, of: header.frame)
        let segments = SegmentReader(source, at: header.scanOffset)
        let bytesAt = { offset in EntropyBytes(source, at: offset) }
        let read: LowCoefficients
        let tables: CodingTables
        if isHalf {
            var scans = CompleteScans(header, segments, into: coefficients)
            (read, tables) = try scans.read(bytesAt)
        } else {
            var scans = ProgressiveScans(header, segments, into: coefficients, threadCount: threadCount)
            (read, tables) = try scans.read(bytesAt)
        }
        try SampleRows(read.grids, of: header.frame, tables, into: planes)
            .write(read, rowCount: header.frame.unitsDown, threadCount: threadCount)
    }

    /// - Returns: whether two threads read parts of it.
    private static func readSequential(
        _ source: Source, _ header: JPEGHeader, _ details: [LowCoefficients.Detail], _ threadCount: Int,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) -> Bool {
        var segments = SegmentReader(source, at: header.scanOffset)
        let segment = try segments.next()
        let start = segment.offset + 4 + Int64(segment.bodyCount)
        var row = LowCoefficients(details, of: header.frame, rowCount: 1)
        let scan = try SequentialScan(
            try ScanHeader(try segments.body(of: segment), of: header.frame), header.frame, header.tables,
            into: try SampleRows(row.grids, of: header.frame, header.tables, into: planes))
        if threadCount > 1, let division = try division(of: source, from: start, scan),
            let later = LaterUnits(scan, EntropyBytes(source, at: division))
        {
            var bytes = EntropyBytes(source, at: start, dividedAt: division)
            return try scan.read(&bytes, beside: later, by: &row.values, threadCount: threadCount)
        }
        var bytes = EntropyBytes(source, at: start)
        try scan.read(&bytes, into: &row.values)
        return false
    }

    /// What another thread reads is kept till it is known where it belongs.
    private static let mostStrung = 128 << 20
    /// Shorter scans are not worth a thread.
    private static let leastDivided: Int64 = 128 << 10

    /// Where another thread may begin; `nil` where it is not worth it, or markers divide the scan.
    private static func division(
        of source: Source, from start: Int64, _ scan: SequentialScan
    ) throws(Declined) -> Int64? {
        let length = source.byteCount - start
        guard scan.restartInterval == 0, length >= leastDivided, scan.strungByteCount <= mostStrung else { return nil }
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
