package import Media

/// How a stored frame is shown: its pixels' shape, then its turn.
package struct Presentation: Equatable, Sendable {
    package let storedSize: PixelSize
    package let orientation: Orientation
    /// The size as shown, in whole square pixels.
    package let shownSize: PixelSize

    /// - Parameter pixelShape: a pixel's width to its height, as a fraction; anything absurd counts as square.
    package init(storedSize: PixelSize, pixelShape: (width: Int, height: Int), orientation: Orientation) {
        self.storedSize = storedSize
        self.orientation = orientation
        shownSize = orientation.turned(Self.squared(storedSize, pixelShape))
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
