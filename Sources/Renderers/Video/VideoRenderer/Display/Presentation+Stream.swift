internal import CFFmpeg
internal import Media

extension Presentation {
    /// How a stream is shown: as the container states it, and where it does not, as the codec does.
    ///
    /// - Parameters:
    ///   - storedSize: after the crop.
    ///   - aperture: the crop; `nil` without one.
    init(_ display: StreamDisplay, _ codec: CodecDisplay, storedSize: PixelSize, aperture: CleanAperture?) {
        let shape = display.pixelAspectRatio(in: aperture) ?? codec.pixelAspectRatio
        self.init(
            storedSize: storedSize, pixelAspectRatio: (Int(shape.num), Int(shape.den)),
            orientation: (display.matrix ?? codec.matrix)?.orientation ?? .upright, isSingleField: codec.isSingleField)
    }
}
