internal import Media

/// The orientation tag in the TIFF structure of EXIF (EXIF 2.32, 4.6.4; TIFF 6.0, section 2).
enum EXIFOrientation {
    /// - Throws: if the structure is irregular; libvips then reads it with libexif.
    static func read(from block: ArraySlice<UInt8>) throws(Declined) -> Orientation? {
        let bytes = Array(block)
        let isLittle = bytes.starts(with: "II*\0".utf8)
        guard isLittle || bytes.starts(with: "MM\0*".utf8) else { throw Declined("EXIF with an unknown byte order") }
        func integer(_ offset: Int, _ count: Int) throws(Declined) -> Int {
            guard offset >= 0, offset + count <= bytes.count else { throw Declined("truncated EXIF") }
            let part = bytes[offset..<offset + count]
            return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
        }
        let directory = try integer(4, 4)
        var found: Int?
        for index in 0..<(try integer(directory, 2)) {
            let entry = directory + 2 + index * 12
            guard try integer(entry, 2) == 274 else { continue }
            guard found == nil, try integer(entry + 2, 2) == 3, try integer(entry + 4, 4) == 1 else {
                throw Declined("an odd orientation")
            }
            found = try integer(entry + 8, 2)
        }
        return found.flatMap(Orientation.init(rawValue:))
    }
}
