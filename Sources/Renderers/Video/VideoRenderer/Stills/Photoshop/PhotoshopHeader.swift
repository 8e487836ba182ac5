internal import Media

/// The file header section of a Photoshop document.
struct PhotoshopHeader {
    static let byteCount = 26

    /// The colour mode.
    enum Mode: UInt16 {
        case bitmap = 0
        case gray = 1
        case indexed = 2
        case rgb = 3
        case cmyk = 4
        /// Shown in gray, because the encoding of its inks is not published.
        case duotone = 8

        /// The number of planes for its colours.
        var planeCount: Int {
            switch self {
            case .bitmap, .gray, .indexed, .duotone: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }

        var isGray: Bool { [.bitmap, .gray, .duotone].contains(self) }
    }

    /// Whether this is a large document (PSB), whose sizes have 64 bits.
    let isLarge: Bool
    let planeCount: Int
    let size: PixelSize
    /// The bits of a sample: 1, 8, 16, or 32 for floating point.
    let depth: Int
    let mode: Mode

    /// Reads the header.
    ///
    /// - Throws: `corrupt`, or `unsupported` for other colour modes and depths.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count == Self.byteCount, bytes.starts(with: "8BPS".utf8), [1, 2].contains(bytes.big16(at: 4)) else {
            throw Failure(.corrupt, detail: "no Photoshop header")
        }
        isLarge = bytes.big16(at: 4) == 2
        planeCount = Int(bytes.big16(at: 12))
        let (height, width) = (Int(bytes.big32(at: 14)), Int(bytes.big32(at: 18)))
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
            throw Failure(.corrupt, detail: "\(width) × \(height) pixels")
        }
        size = PixelSize(width: width, height: height)
        depth = Int(bytes.big16(at: 22))
        guard let mode = Mode(rawValue: bytes.big16(at: 24)) else {
            throw Failure(.unsupported, detail: "Photoshop's colour mode \(bytes.big16(at: 24))")
        }
        self.mode = mode
        guard (mode == .bitmap ? [1] : mode == .indexed ? [8] : [8, 16, 32]).contains(depth) else {
            throw Failure(.unsupported, detail: "Photoshop's \(mode) of \(depth) bits")
        }
        guard (mode.planeCount...56).contains(planeCount) else {
            throw Failure(.corrupt, detail: "\(planeCount) planes")
        }
    }

    /// The longest side in a large document.
    private static let longestSide = 300_000

    /// The number of bytes in an uncompressed row of one plane.
    var rowByteCount: Int { (size.width * depth + 7) / 8 }
}

extension Failure {
    /// The failure if the file ends too early.
    static var brokenOff: Failure { Failure(.corrupt, detail: "truncated") }
}
