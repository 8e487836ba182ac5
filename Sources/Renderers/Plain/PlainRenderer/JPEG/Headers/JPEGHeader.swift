internal import Formats
internal import Media
internal import Rendering

/// The marker segments of a JPEG before its first scan (ITU-T T.81, annex B).
struct JPEGHeader {
    let frame: JPEGFrame
    let tables: JPEGTables
    let orientation: Orientation
    /// The ICC profile, joined from its parts.
    let profile: [UInt8]?
    /// The offset of the first scan header's marker in the file.
    let scanOffset: Int64

    /// - Throws: if the file is not plain.
    init(_ source: Source) throws(Declined) {
        var segments = try MarkerSegmentReader(source)
        var frame: JPEGFrame?
        var tables = JPEGTables()
        var application = ApplicationSegments()
        while true {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC0...0xC2:
                guard frame == nil else { throw Declined("two frames") }
                frame = try JPEGFrame(try segments.body(of: segment), isProgressive: segment.marker == 0xC2)
            case 0xC4: try tables.addHuffman(try segments.body(of: segment))
            case 0xDB: try tables.addQuantization(try segments.body(of: segment))
            case 0xDD: try tables.setRestartInterval(try segments.body(of: segment))
            case 0xE0...0xEF, 0xFE: try application.take(segment, of: segments)
            case 0xDA:
                guard let frame else { throw Declined("no frame") }
                try application.requireLuma(in: frame)
                self.frame = frame
                self.tables = tables
                orientation = application.orientation ?? .upright
                profile = try application.profile
                scanOffset = segment.offset
                return
            default: throw Declined("marker \(segment.marker)")
            }
        }
    }
}
