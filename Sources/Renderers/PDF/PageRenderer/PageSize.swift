package import Media

/// The size of a page as shown, in points (1/72 inch).
package struct PageSize: Hashable {
    package let width: Double
    package let height: Double

    /// A side that a page can have. PDF sets no bounds (ISO 32000-1, annex C speaks of 3...14,400 points), files go
    /// beyond them; these keep every product of sides far from an integer's end.
    private static let sides = 0.01...1e8

    /// `nil` for a size that no page has: not a number, nothing, negative, beyond all measure.
    package init?(width: Double, height: Double) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// The size in pixels that a layout starts from: the shape of the page, and never too small for a box.
    ///
    /// A page has no pixels of its own, so it scales freely: so far that a side of half a pixel is rounded as the page's
    /// own measures say, and that the shorter side is the longest that any rendition has.
    package var pixels: PixelSize {
        let scale = max(Double(1 << 31) / max(width, height), Double(Box.longestSide) / min(width, height))
        return PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
    }
}
