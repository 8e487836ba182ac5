internal import CFFmpeg
internal import Media

extension Presentation {
    /// How a stream is shown, as the container says, and where it says nothing, as the codec does.
    ///
    /// - Parameter aperture: to which frames of `storedSize` have been cut.
    init(_ display: StreamDisplay, _ codec: CodecDisplay, storedSize: PixelSize, aperture: CleanAperture?) {
        let shape = display.pixelShape(in: aperture) ?? codec.pixelShape
        self.init(
            storedSize: storedSize, pixelShape: (Int(shape.num), Int(shape.den)),
            orientation: (display.matrix ?? codec.matrix)?.orientation ?? .upright, isLoneField: codec.isLoneField)
    }
}
