package import Media

/// The visible part of a stored frame, from the box `clap` (ISO/IEC 14496-12, 12.1.4) or from Matroska's `PixelCrop…`.
package struct CleanAperture: Equatable, Sendable {
    /// The column of its left edge.
    package let left: Int

    /// The row of its top edge.
    package let top: Int

    /// Its width and height.
    package let size: PixelSize

    /// The aperture of a `clap` box; `nil` if it does not lie within the frame, or is the whole frame.
    ///
    /// - Parameters:
    ///   - numbers: the fields of the box: width, height, and the offsets of the aperture's centre to the right of and
    ///     below the frame's centre, each a numerator and a denominator.
    ///   - stored: the frame's size.
    package init?(_ numbers: [Int32], in stored: PixelSize) {
        guard numbers.count == 8, stride(from: 1, to: 8, by: 2).allSatisfy({ numbers[$0] != 0 }) else { return nil }
        func ratio(_ index: Int) -> Double { Double(numbers[index * 2]) / Double(numbers[index * 2 + 1]) }
        let width = ratio(0).rounded()
        let height = ratio(1).rounded()
        let left = (ratio(2) + (Double(stored.width) - width) / 2).rounded(.down)
        let top = (ratio(3) + (Double(stored.height) - height) / 2).rounded(.down)
        guard width >= 1, height >= 1, left >= 0, top >= 0, left + width <= Double(stored.width),
            top + height <= Double(stored.height)
        else { return nil }
        self.left = Int(left)
        self.top = Int(top)
        size = PixelSize(width: Int(width), height: Int(height))
        if size == stored { return nil }
    }

    /// The aperture within four margins; `nil` if it is empty, or the whole frame.
    package init?(left: UInt64, top: UInt64, right: UInt64, bottom: UInt64, in stored: PixelSize) {
        let (width, height) = (UInt64(stored.width), UInt64(stored.height))
        guard left < width, right < width - left, top < height, bottom < height - top else { return nil }
        if left + right + top + bottom == 0 { return nil }
        self.left = Int(left)
        self.top = Int(top)
        size = PixelSize(width: Int(width - left - right), height: Int(height - top - bottom))
    }
}
