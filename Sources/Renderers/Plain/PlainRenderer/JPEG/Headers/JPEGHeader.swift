internal import Formats
internal import Media
internal import Rendering

/// What a JPEG says before its first scan (ITU-T T.81, annex B).
struct JPEGHeader {
    let frame: Frame
    let tables: CodingTables
    let orientation: Orientation
    /// The ICC profile, put together.
    let profile: [UInt8]?
    /// Where the segment of the first scan begins: its marker.
    let scanOffset: Int64

    /// - Throws: where the file is not plain.
    init(_ source: Source) throws(Declined) {
        var segments = try SegmentReader(source)
        var frame: Frame?
        var tables = CodingTables()
        var application = ApplicationData()
        while true {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC0...0xC2:
                guard frame == nil else { throw Declined("two frames") }
                frame = try Frame(try segments.body(of: segment), isProgressive: segment.marker == 0xC2)
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

/// A frame header (clause B.2.2).
struct Frame {
    let size: PixelSize
    let isProgressive: Bool
    /// One or three.
    let components: [Component]

    struct Component {
        let identifier: UInt8
        /// How many blocks of it are side by side in a unit of an interleaved scan, 1...4.
        let across: Int
        let down: Int
        /// Which quantization table.
        let table: Int
    }

    /// The largest factors of all components.
    var across: Int { components.map(\.across).max()! }
    var down: Int { components.map(\.down).max()! }

    init(_ body: [UInt8], isProgressive: Bool) throws(Declined) {
        guard body.count >= 9, body[0] == 8 else { throw Declined("a depth other than 8") }
        size = PixelSize(width: Int(body[3]) << 8 | Int(body[4]), height: Int(body[1]) << 8 | Int(body[2]))
        let count = Int(body[5])
        guard size.width > 0, size.height > 0, count == 1 || count == 3, body.count == 6 + 3 * count else {
            throw Declined("\(count) components of \(size)")
        }
        components = (0..<count).map { index in
            let entry = body[(6 + 3 * index)...].prefix(3)
            let (identifier, stated, table) = (entry.first!, entry.dropFirst().first!, entry.last!)
            // Alone, a component has a block a unit, whatever it states (clause A.2.2).
            let isPossible = (1...4).contains(stated >> 4) && (1...4).contains(stated & 15)
            let factors = count == 1 && isPossible ? 0x11 : stated
            return Component(
                identifier: identifier, across: Int(factors >> 4), down: Int(factors & 15), table: Int(table))
        }
        self.isProgressive = isProgressive
        guard components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) && $0.table < 4 }) else {
            throw Declined("sampling factors")
        }
    }
}
