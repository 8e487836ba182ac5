internal import CFFmpeg
internal import Media

/// One decoded frame as pixels of our own, in any size.
struct Rasterizer {
    private let frame: Frame
    private let colour: FrameColour
    private let limits: Limits

    init(_ frame: Frame, limits: Limits) {
        self.frame = frame
        self.limits = limits
        colour = FrameColour(of: frame)
    }

    /// The frame as stored, scaled to `size`. Transparent pixels may be among them: then it has 4 channels.
    func raster(_ size: PixelSize) throws(Failure) -> Raster {
        try requireMemory(size.pixelCount * 4)
        if colour.transfer != .standard, !frame.format.isRGB { return try highRangeRaster(size) }
        if frame.format.isRGB || frame.format.hasAlpha { return try Resampler.resized(exactRaster(), to: size) }
        return try scaled(planes(for: size), to: size, .rgb, channels: 3)
    }

    /// What is scaled: the frame, or its first field where two fields of a moving thing would show as a comb.
    private func planes(for size: PixelSize) -> FramePlanes {
        let planes = FramePlanes(of: frame)
        // In a far smaller picture the rows of both fields are averaged anyway.
        guard frame.isInterlaced, size.height * 4 > frame.size.height, Combing.isVisible(in: planes) else {
            return planes
        }
        return planes.field(isSecond: frame.pointer.pointee.top_field_first == 0)
    }

    /// In the frame's own size: libswscale would go through brightness and colour difference to scale RGB, and would mix
    /// the colours of invisible pixels into visible ones.
    private func exactRaster() throws(Failure) -> Raster {
        let channels = frame.format.hasAlpha ? 4 : 3
        try requireMemory(frame.size.pixelCount * channels)
        return try scaled(FramePlanes(of: frame), to: frame.size, channels == 4 ? .rgba : .rgb, channels: channels)
    }

    private func scaled(
        _ planes: FramePlanes, to size: PixelSize, _ output: Scaler.Output, channels: Int
    ) throws(Failure) -> Raster {
        let count = size.pixelCount * channels
        try requireMemory(count)
        var failure: Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count + Scaler.slackByteCount) { buffer, filled in
            do throws(Failure) {
                try Scaler.scale(planes, colour, to: size, output, into: buffer.baseAddress!)
            } catch {
                failure = error
            }
            filled = failure == nil ? count : 0
        }
        if let failure { throw failure }
        return Raster(size: size, channels: channels, bytes: bytes)
    }

    private func highRangeRaster(_ size: PixelSize) throws(Failure) -> Raster {
        let signal = try scaled(FramePlanes(of: frame), to: size, .rgb16, channels: 6)
        let count = size.pixelCount * 3
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            signal.bytes.withUnsafeBytes { signal in
                HighDynamicRange(colour).map(
                    signal.bindMemory(to: UInt16.self), to: UnsafeMutableBufferPointer(rebasing: bytes[..<count]))
            }
            filled = count
        }
        return Raster(size: size, channels: 3, bytes: bytes)
    }

    /// Swift ends the process where memory runs out, so what is large is refused before.
    private func requireMemory(_ byteCount: Int) throws(Failure) {
        guard UInt64(byteCount) > limits.memoryByteCount / 2 else { return }
        throw .outOfMemory("\(byteCount) bytes for pixels")
    }
}
