internal import CFFmpeg
package import Media

/// A decoded still picture.
package struct StillPicture {
    /// The picture's pixels.
    package let source: any PixelSource

    /// The size as stored.
    package let size: PixelSize

    /// The pixel aspect ratio, width to height; 0 if the file does not state it.
    var pixelAspectRatio = (width: 1, height: 1)
    let colour: ColourDescription
    /// For `--explain`: the reader or decoder that read the picture.
    let decoderNote: String
    /// For `--explain`: how the picture's colours were read.
    let colourNote: () -> String
}

extension StillPicture {
    /// A frame that FFmpeg decoded.
    init(_ frame: Frame, decoderNote: String, limits: Limits) throws(Failure) {
        let shape = frame.pointer.pointee.sample_aspect_ratio
        pixelAspectRatio = (Int(shape.num), Int(shape.den))
        size = frame.size
        colour = ColourDescription(of: frame)
        self.decoderNote = decoderNote
        if let light = LinearLightRaster(frame) {
            source = light.raster()
            colourNote = { "\(frame.format.name), linear light as sRGB, white at 1" }
        } else {
            source = Rasterizer(frame, storedSize: frame.size, limits: limits)
            colourNote = { frame.colourWords(storedSize: frame.size) }
        }
    }
}
