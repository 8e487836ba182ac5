internal import CFFmpeg
internal import Media

extension Presentation {
    /// The presentation of a stream: as the container states it, otherwise as the codec states it.
    ///
    /// - Parameters:
    ///   - storedSize: the size after the crop.
    ///   - aperture: the crop; `nil` without one.
    init(_ display: StreamDisplay, _ codec: CodecDisplay, storedSize: PixelSize, aperture: CleanAperture?) {
        let shape = display.pixelAspectRatio(in: aperture) ?? codec.pixelAspectRatio
        self.init(
            storedSize: storedSize, pixelAspectRatio: (Int(shape.num), Int(shape.den)),
            orientation: (display.matrix ?? codec.matrix)?.orientation ?? .upright, isSingleField: codec.isSingleField)
    }
}
