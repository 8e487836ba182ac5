/// What lies between a progressive file's scans: their headers, and tables that replace earlier ones.
struct ScanSegments {
    private let frame: Frame
    private var segments: SegmentReader
    /// As they stand at the scan that was found last.
    private(set) var tables: CodingTables

    /// - Parameter segments: from the first scan on.
    init(_ header: JPEGHeader, _ segments: SegmentReader) {
        frame = header.frame
        tables = header.tables
        self.segments = segments
    }

    /// The next scan's header, and where its data begin.
    mutating func next() throws(Declined) -> (scan: ScanHeader, data: Int64) {
        while true {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC4: try tables.addHuffman(try segments.body(of: segment))
            // A component keeps the table that it had at its first scan; who would tell which is which.
            case 0xDB: throw Declined("a quantization table between scans")
            case 0xDD: try tables.setRestartInterval(try segments.body(of: segment))
            case 0xE0...0xEF, 0xFE: break
            case 0xDA:
                let scan = try ScanHeader(try segments.body(of: segment), of: frame)
                guard scan.first == 0 ? scan.last == 0 : scan.components.count == 1 else {
                    throw Declined("a scan of means and other coefficients")
                }
                return (scan, segment.offset + 4 + Int64(segment.bodyCount))
            default: throw Declined("marker \(segment.marker) between scans")
            }
        }
    }

    /// Goes on behind a scan's data.
    mutating func move(to offset: Int64) { segments.move(to: offset) }
}
