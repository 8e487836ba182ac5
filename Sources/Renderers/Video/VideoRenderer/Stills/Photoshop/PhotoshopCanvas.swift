internal import Media

/// Combines the planes of a document into pixels.
struct PhotoshopCanvas {
    private let header: PhotoshopHeader
    private let palette: [UInt8]
    private let hasAlpha: Bool
    private let channels: Int
    private var bytes: [UInt8]

    init(_ header: PhotoshopHeader, palette: [UInt8], hasAlpha: Bool) {
        self.header = header
        self.palette = palette
        self.hasAlpha = hasAlpha
        channels = hasAlpha ? 4 : 3
        bytes = [UInt8](repeating: 255, count: header.size.pixelCount * channels)
    }

    /// Adds one row of a plane.
    mutating func add(_ row: [UInt8], ofPlane plane: Int, at y: Int) {
        let start = y * header.size.width * channels
        let isAlpha = plane == header.mode.planeCount
        for x in 0..<header.size.width {
            let value = value(row, x, isColour: !isAlpha)
            let place = start + x * channels
            switch header.mode {
            case _ where isAlpha: bytes[place + 3] = value
            case .rgb: bytes[place + plane] = value
            case .indexed: for channel in 0..<3 { bytes[place + channel] = palette[channel * 256 + Int(value)] }
            // Inks are stored inverted: 255 is no ink. Black comes last and darkens the others.
            case .cmyk where plane < 3: bytes[place + plane] = value
            case .cmyk: for channel in 0..<3 { bytes[place + channel] = Self.product(bytes[place + channel], value) }
            case .bitmap, .gray, .duotone: for channel in 0..<3 { bytes[place + channel] = value }
            }
        }
    }

    /// One sample of a row, converted to 8 bits.
    private func value(_ row: [UInt8], _ x: Int, isColour: Bool) -> UInt8 {
        switch header.depth {
        // A set bit is black.
        case 1: return row[x / 8] & 0x80 >> (x % 8) == 0 ? 255 : 0
        case 8: return row[x]
        case 16: return UInt8((UInt32(row.big16(at: x * 2)) * 255 + 32_767) / 65_535)
        default:
            let number = Float(bitPattern: row.big32(at: x * 4))
            // NaN fails the comparison and becomes 0.
            let bounded = number > 0 ? min(number, 1) : 0
            // Floating-point colours are linear light; inks and alpha are fractions.
            let isLight = isColour && header.mode != .cmyk
            return isLight ? LightScale.signals[LightScale.index(bounded)] : UInt8((bounded * 255).rounded())
        }
    }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        UInt8((UInt32(one) * UInt32(other) + 127) / 255)
    }

    /// The finished picture.
    consuming func raster() -> Raster {
        if hasAlpha { removeWhiteMatte() }
        return Raster(size: header.size, channels: channels, bytes: bytes)
    }

    /// Recovers the colours of translucent pixels, which are flattened against white.
    private mutating func removeWhiteMatte() {
        for place in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[place + 3])
            if alpha == 0 || alpha == 255 { continue }
            for channel in 0..<3 {
                let own = (Int(bytes[place + channel]) - (255 - alpha)) * 255 / alpha
                bytes[place + channel] = UInt8(clamping: own)
            }
        }
    }
}
