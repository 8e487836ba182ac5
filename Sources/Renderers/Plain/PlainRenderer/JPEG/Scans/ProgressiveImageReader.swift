/// Reads all scans of a progressive file (ITU-T T.81, clause G): every bit of the lowest coefficients.
///
/// The picture at half of its size shows what the last refinement scans add. For the coefficients that are not kept,
/// only the nonzero history is recorded: a refinement scan has a correction bit for each nonzero coefficient.
struct ProgressiveImageReader {
    private let frame: JPEGFrame
    private var headers: ScanHeaderReader
    private var coefficients: ProgressiveCoefficients
    /// For each component and each of its coefficients, the number of low bits still missing (the last scan's Al);
    /// `nil` before the coefficient's first scan.
    private var missingBits: [[Int?]]

    init(_ header: JPEGHeader, _ segments: MarkerSegmentReader, into coefficients: LowFrequencyCoefficients) {
        frame = header.frame
        headers = ScanHeaderReader(header, segments)
        self.coefficients = ProgressiveCoefficients(coefficients)
        missingBits = frame.components.map { _ in Array(repeating: nil, count: 64) }
    }

    /// The coefficients, and the tables in effect for the last scan.
    mutating func read(
        _ dataAt: (Int64) -> EntropyCodedData
    ) throws(Declined) -> (LowFrequencyCoefficients, JPEGTables) {
        while true {
            let (scan, offset) = try headers.next()
            try checkOrder(of: scan)
            var data = dataAt(offset)
            try read(scan, &data)
            try data.skipScan()
            // EOI, the end of the image.
            if data.marker == 0xD9 { break }
            headers.move(to: data.offset)
        }
        guard missingBits.allSatisfy({ $0[0] != nil }) else { throw Declined("components without DC coefficients") }
        return (coefficients.lowest, headers.tables)
    }

    /// Successive approximation states the upper bits of a coefficient first, then one bit per scan.
    private mutating func checkOrder(of scan: ScanHeader) throws(Declined) {
        let (high, low) = (scan.approximationHigh, scan.approximationLow)
        for part in scan.components {
            for index in scan.spectralStart...scan.spectralEnd {
                let isNext = high == 0 ? missingBits[part.index][index] == nil : missingBits[part.index][index] == high
                guard isNext, high == 0 || low == high - 1 else { throw Declined("scans out of order") }
                missingBits[part.index][index] = low
            }
        }
    }

    private mutating func read(_ scan: ScanHeader, _ data: inout EntropyCodedData) throws(Declined) {
        let (tables, lowest) = (headers.tables, coefficients.lowest)
        switch (scan.spectralStart == 0, scan.approximationHigh == 0) {
        case (true, true):
            try DCFirstScan(scan, frame, tables, lowest, isRefined: true).read(&data, into: &coefficients.lowest.values)
        case (true, false):
            try DCRefinementScan(scan, frame, tables, lowest).read(&data, into: &coefficients.lowest.values)
        case (false, true):
            try ACFirstScan(band: ACBand(scan, frame, tables, lowest)).read(&data, into: &coefficients)
        case (false, false):
            try ACRefinementScan(band: ACBand(scan, frame, tables, lowest)).read(&data, into: &coefficients)
        }
    }
}
