/// The rotation and reflection of a stored picture for display: the eight values of EXIF's tag 274 (TIFF 6.0, section
/// 8; EXIF 2.32, 4.6.4).
///
/// **Stored* is the picture in byte order, *shown* is the upright picture.
public enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case halfTurn = 3
    case flipped = 4
    /// Rows become columns.
    case transposed = 5
    /// A quarter turn clockwise makes it upright.
    case quarterTurn = 6
    case transversed = 7
    case threeQuarterTurn = 8

    /// The transformation in words, for `--explain`.
    public var words: String {
        switch self {
        case .upright: "upright"
        case .mirrored: "mirrored"
        case .halfTurn: "turned by 180°"
        case .flipped: "turned by 180° and mirrored"
        case .transposed: "turned by 90° clockwise and mirrored"
        case .quarterTurn: "turned by 90° clockwise"
        case .transversed: "turned by 270° clockwise and mirrored"
        case .threeQuarterTurn: "turned by 270° clockwise"
        }
    }

    /// Whether width and height are swapped.
    public var isSideways: Bool { rawValue >= 5 }

    /// Converts a stored size to the shown size, or back.
    public func turned(_ size: PixelSize) -> PixelSize { isSideways ? size.transposed : size }

    /// The position in the stored picture of the pixel that is shown at (x, y).
    ///
    /// - Parameter stored: the size of the whole stored picture.
    public func stored(x: Int, y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        return switch self {
        case .upright: (x, y)
        case .mirrored: (right - x, y)
        case .halfTurn: (right - x, bottom - y)
        case .flipped: (x, bottom - y)
        case .transposed: (y, x)
        case .quarterTurn: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .threeQuarterTurn: (right - y, x)
        }
    }

    /// The part of a stored picture that is shown as `area`.
    public func stored(_ area: PixelArea, in size: PixelSize) -> PixelArea {
        let one = stored(x: area.x, y: area.y, in: size)
        let other = stored(x: area.x + area.size.width - 1, y: area.y + area.size.height - 1, in: size)
        return PixelArea(x: min(one.x, other.x), y: min(one.y, other.y), size: turned(area.size))
    }
}
