/// The coding of a PNG's pixels: colour type and bit depth (11.2.1).
struct PNGCoding {
    enum ColourType: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6
    }

    let colourType: ColourType
    /// The number of bits in a sample.
    let depth: Int

    /// - Throws: if PNG does not define the combination.
    init(depth: Int, colourType: UInt8) throws(Declined) {
        guard let type = ColourType(rawValue: colourType) else { throw Declined("colour type \(colourType)") }
        let depths =
            switch type {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        guard depths.contains(depth) else { throw Declined("\(depth) bits of colour type \(colourType)") }
        self.colourType = type
        self.depth = depth
    }

    var hasAlpha: Bool { colourType == .grayAlpha || colourType == .rgba }
    var isGray: Bool { colourType == .gray || colourType == .grayAlpha }

    /// The number of samples per pixel in the file; a palette index is one sample.
    var sampleCount: Int {
        switch colourType {
        case .gray, .palette: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
    }

    /// The distance in bytes to the pixel on the left, as filters count it (9.2): at least one.
    var pixelByteCount: Int { max(1, sampleCount * depth / 8) }

    /// The number of bytes in a row without its filter type.
    func rowByteCount(width: Int) -> Int { (width * sampleCount * depth + 7) / 8 }
}
