/// The first scans of a progressive file (ITU-T T.81, clause G): those that hold the lowest coefficients' upper bits. The file
/// is read until they are there; scans of other coefficients in between are passed over, and refinements with them.
struct ProgressiveScans {
    private let frame: Frame
    private var tables: CodingTables
    private var coefficients: LowCoefficients
    /// How many threads may read.
    private let threadCount: Int
    /// The means of all components, while another thread reads them.
    private var means: MeanReading?
    /// Which coefficients of each component are still to come.
    private var missing: [Set<Int>]

    init(_ header: JPEGHeader, into coefficients: LowCoefficients, threadCount: Int) {
        self.threadCount = threadCount
        frame = header.frame
        tables = header.tables
        self.coefficients = coefficients
        missing = coefficients.grids.map { $0.detail == .mean ? [0] : [0, 1, 2, 4] }
    }

    /// The coefficients, and the quantization tables as they stand then.
    mutating func read(
        _ segments: SegmentReader, _ bytesAt: (Int64) -> EntropyBytes
    ) throws(Declined) -> (LowCoefficients, CodingTables) {
        var segments = segments
        while missing.contains(where: { !$0.isEmpty }) {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC4: try tables.addHuffman(try segments.body(of: segment))
            case 0xDB: try tables.addQuantization(try segments.body(of: segment))
            case 0xDD: try tables.setRestartInterval(try segments.body(of: segment))
            case 0xE0...0xEF, 0xFE: break
            case 0xDA:
                let scan = try ScanHeader(try segments.body(of: segment), of: frame)
                var bytes = bytesAt(segment.offset + 4 + Int64(segment.bodyCount))
                try readScan(scan, &bytes)
                segments.move(to: bytes.offset)
            default: throw Declined("marker \(segment.marker) between scans")
            }
        }
        try means?.finish(into: &coefficients)
        return (coefficients, tables)
    }

    private mutating func readScan(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        guard scan.first == 0 ? scan.last == 0 : scan.components.count == 1 else {
            throw Declined("a scan of means and other coefficients")
        }
        let isWanted = scan.components.contains { part in
            missing[part.index].contains { (scan.first...scan.last).contains($0) }
        }
        if isWanted, scan.high == 0 {
            if scan.first == 0 {
                try readMeans(scan, &bytes)
            } else {
                try BandScan(scan, frame, tables, coefficients).read(&bytes, into: &coefficients.values)
            }
            for part in scan.components { missing[part.index].subtract(scan.first...scan.last) }
        }
        // What needs no looking at is passed over, and so is what is left of a scan that was read.
        if missing.contains(where: { !$0.isEmpty }) { try bytes.skipScan() }
    }

    /// Has another thread read the means where more is to be read meanwhile.
    private mutating func readMeans(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        let isOnly = missing.allSatisfy { $0 == [0] || $0.isEmpty }
        if threadCount > 1, !isOnly, means == nil, let reading = MeanReading(scan, frame, tables, bytes) {
            means = reading
        } else {
            try MeanScan(scan, frame, tables, coefficients).read(&bytes, into: &coefficients.values)
        }
    }
}
