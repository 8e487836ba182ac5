package import Media

/// A decoded picture that renders itself in any size.
package protocol PixelSource {
    /// Width and height before scaling.
    var decodedSize: PixelSize { get }
    /// Whether only one of the picture's two fields is used: every other row.
    var leavesOutField: Bool { get }

    /// The picture in sRGB, scaled to `size` and not yet rotated; with 4 channels if it may have transparent pixels.
    ///
    /// - Throws: `tooLarge` if it takes too much memory, `corrupt` if it cannot be converted.
    func raster(_ size: PixelSize) throws(Failure) -> Raster
}

extension Raster: PixelSource {
    /// The raster's own size.
    package var decodedSize: PixelSize { size }

    /// Always false: a raster has no fields.
    package var leavesOutField: Bool { false }

    /// The same pixels, resampled.
    package func raster(_ size: PixelSize) -> Raster { resized(to: size) }
}
