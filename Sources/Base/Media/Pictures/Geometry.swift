/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size from its two sides.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The area: width × height.
    public var pixelCount: Int { width * height }

    /// Both sides times `factor`, rounded, at least 1.
    public func scaled(by factor: Double) -> PixelSize {
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
        return PixelSize(width: side(width), height: side(height))
    }

    /// Width and height swapped, as by a quarter turn.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    /// As in `640×360`.
    public var description: String { "\(width)×\(height)" }
}

/// The largest area that a rendition may take; `Box.longestSide` bounds an open side.
///
/// Written in vipsthumbnail's syntax: `640` (a square box), `640x360`, `640x` (open height), `x360` (open width).
public struct Box: Hashable, Sendable {
    /// No rendition is wider or higher: memory and the encoders need this bound.
    public static let longestSide = 16_000

    /// No rendition has more pixels.
    public static let largestPixelCount = 100_000_000

    /// The largest width; `nil` for an open side.
    public let width: Int?
    /// The largest height; `nil` for an open side.
    public let height: Int?

    /// A box of one or two sides, each in 1...`longestSide`, with at most `largestPixelCount` pixels; else `nil`.
    public init?(width: Int?, height: Int?) {
        let sides = 1...Self.longestSide
        guard width.map(sides.contains) ?? true, height.map(sides.contains) ?? true else { return nil }
        guard width != nil || height != nil, (width ?? 1) * (height ?? 1) <= Self.largestPixelCount else { return nil }
        self.width = width
        self.height = height
    }

    /// Parses `640`, `640x360`, `640x`, `x360`; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        func side(_ part: Substring) -> Int? {
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
        }
        switch parts.count {
        case 1:
            guard let edge = side(Substring(parts[0])) else { return nil }
            self.init(width: edge, height: edge)
        case 2:
            let width = side(Substring(parts[0]))
            let height = side(Substring(parts[1]))
            guard parts[0].isEmpty || width != nil, parts[1].isEmpty || height != nil else { return nil }
            self.init(width: width, height: height)
        default:
            return nil
        }
    }

    /// The box with the largest value for an open side.
    public var bounds: PixelSize {
        func open(beside side: Int?) -> Int { min(Self.longestSide, Self.largestPixelCount / (side ?? 1)) }
        return PixelSize(width: width ?? open(beside: height), height: height ?? open(beside: width))
    }
}

extension Box: CustomStringConvertible {
    /// The text that `init(parsing:)` reads: `640x360`, `640x`, `x360`.
    public var description: String { "\(width.map(String.init) ?? "")x\(height.map(String.init) ?? "")" }
}

/// How a picture fills its box.
public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// The whole picture inside the box, in its own shape.
    case inside
    /// The picture fills the box and is cropped to it.
    case cover
    /// The whole picture inside the box, padded with the background.
    case contain
}

/// Which part of the picture `cover` keeps.
public enum Gravity: UInt8, Hashable, Sendable {
    case centre = 0
    /// The top, as for pages.
    case top = 1
}

/// The geometry of a rendition: how a picture is scaled, then cropped, then padded to its box.
///
/// All sizes are exact and at least 1 × 1. A picture is enlarged only on request. Otherwise `inside` and `contain`
/// leave a small picture as it is, and `cover` crops it to the box's shape without scaling.
public struct Layout: Hashable, Sendable {
    /// The whole picture after scaling.
    public let scaled: PixelSize
    /// The left column of the crop in `scaled`.
    public let cropX: Int
    /// The top row of the crop in `scaled`.
    public let cropY: Int
    /// The size of the crop.
    public let cropped: PixelSize
    /// The finished rendition; larger than `cropped` only with `contain`.
    public let canvas: PixelSize
    /// The column of the canvas where `cropped` begins.
    public let originX: Int
    /// The row of the canvas where `cropped` begins.
    public let originY: Int

    /// The layout of a picture in a box.
    ///
    /// - Parameters:
    ///   - source: the picture as shown (orientation and pixel shape applied), at least 1 × 1.
    ///   - enlarge: whether a small picture may grow to the box.
    public init(of source: PixelSize, in box: Box, fit: Fit, gravity: Gravity, enlarge: Bool) {
        precondition(source.width > 0 && source.height > 0, "a picture has at least one pixel")
        let bounds = box.bounds
        let across = Double(bounds.width) / Double(source.width)
        let down = Double(bounds.height) / Double(source.height)
        // With an open side, `cover` only fits the given side.
        let covers = fit == .cover && box.width != nil && box.height != nil
        let wanted = covers ? max(across, down) : min(across, down)
        let scaled = source.scaled(by: enlarge ? wanted : min(wanted, 1))
        if !covers {
            self.scaled = PixelSize(width: min(scaled.width, bounds.width), height: min(scaled.height, bounds.height))
            cropped = self.scaled
        } else if wanted <= 1 || enlarge {
            // Rounding must not leave a gap of a pixel.
            self.scaled = PixelSize(width: max(scaled.width, bounds.width), height: max(scaled.height, bounds.height))
            cropped = bounds
        } else {
            // The picture has too few pixels for the box: crop it to the box's shape without scaling.
            let shape = bounds.scaled(by: 1 / wanted)
            self.scaled = scaled
            cropped = PixelSize(width: min(shape.width, scaled.width), height: min(shape.height, scaled.height))
        }
        cropX = (self.scaled.width - cropped.width) / 2
        cropY = gravity == .top ? 0 : (self.scaled.height - cropped.height) / 2
        let pads = fit == .contain
        canvas = PixelSize(
            width: pads ? box.width ?? cropped.width : cropped.width,
            height: pads ? box.height ?? cropped.height : cropped.height)
        originX = (canvas.width - cropped.width) / 2
        originY = (canvas.height - cropped.height) / 2
    }
}
