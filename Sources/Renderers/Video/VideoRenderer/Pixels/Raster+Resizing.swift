package import Media
internal import Rendering

extension Raster {
    /// The raster in another size. Colours are weighted by alpha.
    package func resized(to newSize: PixelSize) -> Raster {
        if size == newSize { return self }
        let pixels = FloatResampling.resized(bytes, size, channelCount: channels, to: newSize, by: .catmullRom)
        return Raster(size: newSize, channels: channels, bytes: pixels)
    }
}
