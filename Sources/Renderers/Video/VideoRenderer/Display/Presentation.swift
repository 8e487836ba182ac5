package import Media

/// The presentation of a stored frame: its pixel aspect ratio is applied first, then its rotation.
package struct Presentation: Equatable, Sendable {
    /// The size as stored; for a single field, the size of its frame.
    package let storedSize: PixelSize

    /// The rotation and reflection for display.
    package let orientation: Orientation

    /// The size as shown, in square pixels.
    package let shownSize: PixelSize

    /// Computes the shown size.
    ///
    /// - Parameters:
    ///   - pixelAspectRatio: the pixel aspect ratio, width to height; an implausible ratio counts as square.
    ///   - isSingleField: whether every other row of the picture is stored.
    package init(
        storedSize: PixelSize, pixelAspectRatio: (width: Int, height: Int), orientation: Orientation,
        isSingleField: Bool = false
    ) {
        var (size, shape) = (storedSize, pixelAspectRatio)
        if isSingleField {
            size.height *= 2
            if Self.isOfField(shape) { shape.width *= 2 }
        }
        self.storedSize = size
        self.orientation = orientation
        shownSize = orientation.turned(Self.squared(size, shape))
    }

    /// Whether a pixel aspect ratio applies to the rows of a field, which are twice as far apart as a frame's rows.
    /// ITU-T H.265 leaves that open. Of the ratios in use (its table E.1), the narrowest for a frame is 10:11, and the
    /// widest for a field is 32:45.
    private static func isOfField(_ shape: (width: Int, height: Int)) -> Bool {
        shape.width > 0 && Double(shape.width) < 0.8 * Double(shape.height)
    }

    /// Scales the width and keeps the height, as players do.
    private static func squared(_ size: PixelSize, _ shape: (width: Int, height: Int)) -> PixelSize {
        guard shape.width > 0, shape.height > 0 else { return size }
        let ratio = Double(shape.width) / Double(shape.height)
        let width = (Double(size.width) * ratio).rounded()
        guard soundRatios.contains(ratio), (1...65_535).contains(width) else { return size }
        return PixelSize(width: Int(width), height: size.height)
    }

    /// The widest ratio in use is 2.67 (CIF fields); a ratio outside these limits comes from a damaged header.
    private static let soundRatios = 0.1...10.0
}
