package import Media

/// How a stored frame is shown: its pixels' shape, then its turn.
package struct Presentation: Equatable, Sendable {
    package let storedSize: PixelSize
    package let orientation: Orientation
    /// The size as shown, in whole square pixels.
    package let shownSize: PixelSize

    /// - Parameters:
    ///   - pixelShape: a pixel's width to its height, as a fraction; anything absurd counts as square.
    ///   - isLoneField: whether what is stored is every other row of the picture.
    package init(
        storedSize: PixelSize, pixelShape: (width: Int, height: Int), orientation: Orientation,
        isLoneField: Bool = false
    ) {
        var (size, shape) = (storedSize, pixelShape)
        if isLoneField {
            size.height *= 2
            if Self.isOfField(shape) { shape.width *= 2 }
        }
        self.storedSize = size
        self.orientation = orientation
        shownSize = orientation.turned(Self.squared(size, shape))
    }

    /// Whether a shape is meant for a field's rows, which lie twice as far apart. ITU-T H.265 leaves it open; of the shapes in
    /// use (its table E.1) the narrowest for a frame is 10:11, the widest for a field 32:45.
    private static func isOfField(_ shape: (width: Int, height: Int)) -> Bool {
        shape.width > 0 && Double(shape.width) < 0.8 * Double(shape.height)
    }

    /// The width is stretched or squeezed, the height stays, as all players do it.
    private static func squared(_ size: PixelSize, _ shape: (width: Int, height: Int)) -> PixelSize {
        guard shape.width > 0, shape.height > 0 else { return size }
        let ratio = Double(shape.width) / Double(shape.height)
        let width = (Double(size.width) * ratio).rounded()
        guard soundRatios.contains(ratio), (1...65_535).contains(width) else { return size }
        return PixelSize(width: Int(width), height: size.height)
    }

    /// Widest in use is 2.67 (CIF fields); beyond these a header is damaged, and would ask for absurd sizes.
    private static let soundRatios = 0.1...10.0
}
