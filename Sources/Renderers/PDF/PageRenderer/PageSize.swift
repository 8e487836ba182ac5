package import Media

/// The size of a page as shown, in points (1/72 inch).
package struct PageSize: Hashable {
    /// Points from the left to the right edge.
    package let width: Double
    /// Points from the top to the bottom edge.
    package let height: Double

    /// The accepted sides. Real pages exceed the 3...14,400 points of ISO 32000-1, annex C; within these limits no
    /// product of sides overflows an integer.
    private static let sides = 0.01...1e8

    /// `nil` if a side is not a number, not positive, or not between 0.01 and 100 million points.
    package init?(width: Double, height: Double) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// The size in pixels from which a layout starts: the shape of the page, and larger than any box.
    ///
    /// A page has no pixels of its own. Its longer side gets at least 2³¹ pixels, so that layouts round by the page's
    /// exact shape. Its shorter side gets at least as many as a rendition's longest side, so that no layout enlarges
    /// the page.
    package var pixels: PixelSize {
        let scale = max(Double(1 << 31) / max(width, height), Double(Box.longestSide) / min(width, height))
        return PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
    }
}
