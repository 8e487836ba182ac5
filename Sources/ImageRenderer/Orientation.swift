internal import Media

/// How a stored picture is turned to be shown: the eight values of EXIF's tag 274 (TIFF 6.0, section 8; EXIF 2.32, 4.6.4).
///
/// *Stored* is the picture as its bytes have it, *shown* the picture upright.
enum Orientation: Int {
    case upright = 1
    case mirrored = 2
    case halfTurn = 3
    case flipped = 4
    /// Rows become columns: mirrored, then a quarter turn counter-clockwise.
    case transposed = 5
    /// A quarter turn clockwise makes it upright.
    case quarterTurn = 6
    case transversed = 7
    case threeQuarterTurn = 8

    /// Whether width and height change places.
    var isSideways: Bool { rawValue >= 5 }

    /// A size as stored becomes the size as shown, and the other way round.
    func turned(_ size: PixelSize) -> PixelSize { isSideways ? size.transposed : size }

    /// The picture as shown. Its pixels must be in memory: most turns read from the bottom or sideways.
    func applied(to picture: VipsPicture) throws(Failure) -> VipsPicture {
        var picture = picture
        for step in steps { picture = try step.operation(on: picture).output() }
        return picture
    }

    /// The part of a stored picture that is shown as `area`.
    ///
    /// - Parameter stored: the size of the whole stored picture.
    func stored(_ area: PixelArea, in stored: PixelSize) -> PixelArea {
        let (x, y) = (area.x, area.y)
        let size = turned(area.size)
        let right = stored.width - size.width
        let bottom = stored.height - size.height
        let (left, top) =
            switch self {
            case .upright: (x, y)
            case .mirrored: (right - x, y)
            case .halfTurn: (right - x, bottom - y)
            case .flipped: (x, bottom - y)
            case .transposed: (y, x)
            case .quarterTurn: (y, bottom - x)
            case .transversed: (right - y, bottom - x)
            case .threeQuarterTurn: (right - y, x)
            }
        return PixelArea(x: left, y: top, size: size)
    }

    private var steps: [Step] {
        switch self {
        case .upright: []
        case .mirrored: [.flip(.horizontal)]
        case .halfTurn: [.rotate(2)]
        case .flipped: [.flip(.vertical)]
        case .transposed: [.rotate(1), .flip(.horizontal)]
        case .quarterTurn: [.rotate(1)]
        case .transversed: [.rotate(1), .flip(.vertical)]
        case .threeQuarterTurn: [.rotate(3)]
        }
    }

    private enum Step {
        /// By quarter turns clockwise.
        case rotate(Int)
        case flip(Direction)

        /// VipsDirection's values.
        enum Direction: Int {
            case horizontal = 0
            case vertical = 1
        }

        func operation(on picture: VipsPicture) -> VipsOperation {
            switch self {
            case .rotate(let quarters): VipsOperation("rot", on: picture).with("angle", .integer(quarters))
            case .flip(let direction):
                VipsOperation("flip", on: picture).with("direction", .integer(direction.rawValue))
            }
        }
    }
}

/// A rectangle of pixels: its left upper corner and size.
struct PixelArea: Equatable {
    var x: Int
    var y: Int
    var size: PixelSize
}
