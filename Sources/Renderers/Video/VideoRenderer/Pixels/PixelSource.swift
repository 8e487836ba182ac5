internal import Media

/// A decoded picture that can be had in any size.
protocol PixelSource {
    /// The size in which it was decoded.
    var decodedSize: PixelSize { get }
    /// Whether every other row is left out: one of two fields.
    var leavesOutField: Bool { get }

    /// The picture as stored, in sRGB, scaled to `size`; with 4 channels where transparent pixels may be among them.
    func raster(_ size: PixelSize) throws(Failure) -> Raster
}

/// Pixels of our own are one already.
extension Raster: PixelSource {
    var decodedSize: PixelSize { size }
    var leavesOutField: Bool { false }

    func raster(_ size: PixelSize) -> Raster { Resampler.resized(self, to: size) }
}
