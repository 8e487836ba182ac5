/// Reads a progressive file (ITU-T T.81, clause G) until it has the upper bits of the lowest coefficients.
///
/// It skips scans of other coefficients and refinement scans; it does not read the scans after that.
struct ProgressivePreviewReader {
    private let frame: JPEGFrame
    private var headers: ScanHeaderReader
    private var coefficients: LowFrequencyCoefficients
    /// How many threads may read.
    private let threadCount: Int
    /// The scan of all components' DC coefficients, while another thread reads it.
    private var parallelScan: ParallelDCScan?
    /// For each component, the wanted coefficients whose first scan has not yet appeared, in zigzag order.
    private var missing: [Set<Int>]

    init(
        _ header: JPEGHeader, _ segments: MarkerSegmentReader, into coefficients: LowFrequencyCoefficients,
        threadCount: Int
    ) {
        self.threadCount = threadCount
        frame = header.frame
        headers = ScanHeaderReader(header, segments)
        self.coefficients = coefficients
        missing = coefficients.grids.map { $0.reduction == .eighth ? [0] : [0, 1, 2, 4] }
    }

    /// The coefficients, and the tables in effect for the last scan read.
    mutating func read(
        _ dataAt: (Int64) -> EntropyCodedData
    ) throws(Declined) -> (LowFrequencyCoefficients, JPEGTables) {
        while missing.contains(where: { !$0.isEmpty }) {
            let (scan, offset) = try headers.next()
            var data = dataAt(offset)
            try read(scan, &data)
            headers.move(to: data.offset)
        }
        try parallelScan?.finish(into: &coefficients)
        return (coefficients, headers.tables)
    }

    private mutating func read(_ scan: ScanHeader, _ data: inout EntropyCodedData) throws(Declined) {
        let band = scan.spectralStart...scan.spectralEnd
        let isWanted = scan.components.contains { part in missing[part.index].contains { band.contains($0) } }
        if isWanted, scan.approximationHigh == 0 {
            if scan.spectralStart == 0 {
                try readDC(scan, &data)
            } else {
                let band = try ACBand(scan, frame, headers.tables, coefficients)
                try ACPreviewScan(band: band).read(&data, into: &coefficients.values)
            }
            for part in scan.components { missing[part.index].subtract(band) }
        }
        // To the next marker: from the start of an unwanted scan, or of a scan that another thread reads.
        if missing.contains(where: { !$0.isEmpty }) { try data.skipScan() }
    }

    /// Reads the scan in another thread if AC scans remain to be read meanwhile.
    private mutating func readDC(_ scan: ScanHeader, _ data: inout EntropyCodedData) throws(Declined) {
        let isOnly = missing.allSatisfy { $0 == [0] || $0.isEmpty }
        if threadCount > 1, !isOnly, parallelScan == nil,
            let parallel = ParallelDCScan(scan, frame, headers.tables, data)
        {
            parallelScan = parallel
        } else {
            try DCFirstScan(scan, frame, headers.tables, coefficients).read(&data, into: &coefficients.values)
        }
    }
}
