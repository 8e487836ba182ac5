internal import CFFmpeg
internal import Media

/// A still picture, decoded.
struct StillPicture {
    let source: any PixelSource
    let size: PixelSize
    /// A pixel's width to its height; 0 where the file does not say.
    var pixelShape = (width: 1, height: 1)
    let colour: ColourDescription
    /// Who decoded what of the file, for those who ask.
    let decoderNote: String
    let colourNote: () -> String
}

extension StillPicture {
    /// A frame of FFmpeg's.
    init(_ frame: Frame, decoderNote: String, limits: Limits) throws(Failure) {
        let shape = frame.pointer.pointee.sample_aspect_ratio
        pixelShape = (Int(shape.num), Int(shape.den))
        size = frame.size
        colour = ColourDescription(of: frame)
        self.decoderNote = decoderNote
        if let light = LightRaster(frame) {
            source = light.raster()
            colourNote = { "\(frame.format.name), light as sRGB, white at 1" }
        } else {
            source = Rasterizer(frame, storedSize: frame.size, limits: limits)
            colourNote = { frame.colourWords(storedSize: frame.size) }
        }
    }
}
