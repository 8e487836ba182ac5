/// Reads a progressive file's scan headers in order, and the tables between scans, which replace earlier ones.
struct ScanHeaderReader {
    private let frame: JPEGFrame
    private var segments: MarkerSegmentReader
    /// The tables in effect for the last scan header read.
    private(set) var tables: JPEGTables

    /// - Parameter segments: at the first scan header.
    init(_ header: JPEGHeader, _ segments: MarkerSegmentReader) {
        frame = header.frame
        tables = header.tables
        self.segments = segments
    }

    /// The next scan header, and the offset of its entropy-coded data.
    mutating func next() throws(Declined) -> (scan: ScanHeader, data: Int64) {
        while true {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC4: try tables.addHuffman(try segments.body(of: segment))
            // A component keeps the table of its first scan; such files are too rare to track which table that was.
            case 0xDB: throw Declined("a quantization table between scans")
            case 0xDD: try tables.setRestartInterval(try segments.body(of: segment))
            case 0xE0...0xEF, 0xFE: break
            case 0xDA:
                let scan = try ScanHeader(try segments.body(of: segment), of: frame)
                guard scan.spectralStart == 0 ? scan.spectralEnd == 0 : scan.components.count == 1 else {
                    throw Declined("a progressive scan of DC and AC coefficients")
                }
                return (scan, segment.offset + 4 + Int64(segment.bodyCount))
            default: throw Declined("marker \(segment.marker) between scans")
            }
        }
    }

    /// Continues at the marker after a scan's data.
    mutating func move(to offset: Int64) { segments.move(to: offset) }
}
