/// The first scans of a progressive file (ITU-T T.81, clause G): those that hold the lowest coefficients' upper bits. The file
/// is read until they are there; scans of other coefficients in between are passed over, and refinements with them.
struct ProgressiveScans {
    private let frame: Frame
    private var segments: ScanSegments
    private var coefficients: LowCoefficients
    /// How many threads may read.
    private let threadCount: Int
    /// The means of all components, while another thread reads them.
    private var means: MeanReading?
    /// Which coefficients of each component are still to come.
    private var missing: [Set<Int>]

    init(_ header: JPEGHeader, _ segments: SegmentReader, into coefficients: LowCoefficients, threadCount: Int) {
        self.threadCount = threadCount
        frame = header.frame
        self.segments = ScanSegments(header, segments)
        self.coefficients = coefficients
        missing = coefficients.grids.map { $0.detail == .mean ? [0] : [0, 1, 2, 4] }
    }

    /// The coefficients, and the quantization tables as they stand then.
    mutating func read(_ bytesAt: (Int64) -> EntropyBytes) throws(Declined) -> (LowCoefficients, CodingTables) {
        while missing.contains(where: { !$0.isEmpty }) {
            let (scan, data) = try segments.next()
            var bytes = bytesAt(data)
            try readScan(scan, &bytes)
            segments.move(to: bytes.offset)
        }
        try means?.finish(into: &coefficients)
        return (coefficients, segments.tables)
    }

    private mutating func readScan(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        let isWanted = scan.components.contains { part in
            missing[part.index].contains { (scan.first...scan.last).contains($0) }
        }
        if isWanted, scan.high == 0 {
            if scan.first == 0 {
                try readMeans(scan, &bytes)
            } else {
                let band = try Band(scan, frame, segments.tables, coefficients)
                try BandScan(band: band).read(&bytes, into: &coefficients.values)
            }
            for part in scan.components { missing[part.index].subtract(scan.first...scan.last) }
        }
        // What needs no looking at is passed over, and so is what is left of a scan that was read.
        if missing.contains(where: { !$0.isEmpty }) { try bytes.skipScan() }
    }

    /// Has another thread read the means where more is to be read meanwhile.
    private mutating func readMeans(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        let isOnly = missing.allSatisfy { $0 == [0] || $0.isEmpty }
        if threadCount > 1, !isOnly, means == nil, let reading = MeanReading(scan, frame, segments.tables, bytes) {
            means = reading
        } else {
            try MeanScan(scan, frame, segments.tables, coefficients).read(&bytes, into: &coefficients.values)
        }
    }
}
