internal import CFFmpeg
internal import Media

/// Converts a decoded frame to sRGB pixels of any size.
struct Rasterizer: PixelSource {
    private let frame: Frame
    private let colour: FrameColour
    private let limits: Limits

    /// - Parameter storedSize: the size of the picture as stored; a frame decoded at a reduced size has another size.
    init(_ frame: Frame, storedSize: PixelSize, limits: Limits) {
        self.frame = frame
        self.limits = limits
        colour = FrameColour(of: frame, storedSize: storedSize)
    }

    var decodedSize: PixelSize { frame.size }

    /// The frame in sRGB, scaled to `size`; with 4 channels if it may have transparent pixels.
    func raster(_ size: PixelSize) throws(Failure) -> Raster {
        if frame.format.isRGB || frame.format.hasAlpha { return try exactRaster().resized(to: size) }
        return try coloured(planes, size, channels: 3)
    }

    /// The planes to scale: the planes of the frame, or of its first field.
    private var planes: FramePlanes {
        let planes = FramePlanes(of: frame)
        return leavesOutField ? planes.field(isSecond: !frame.isTopFieldFirst) : planes
    }

    /// Whether one field is dropped, because both together would show combing, or a double image in a much smaller
    /// picture. RGB and transparent frames keep both.
    var leavesOutField: Bool {
        frame.isInterlaced && !frame.format.isRGB && !frame.format.hasAlpha
            && Combing.isVisible(in: FramePlanes(of: frame))
    }

    /// The pixels in the frame's own size. To scale RGB, libswscale would convert it to luma and colour differences,
    /// and would mix the colours of transparent pixels into opaque pixels.
    private func exactRaster() throws(Failure) -> Raster {
        try coloured(FramePlanes(of: frame), frame.size, channels: frame.format.hasAlpha ? 4 : 3)
    }

    /// The planes in sRGB, scaled.
    private func coloured(_ planes: FramePlanes, _ size: PixelSize, channels: Int) throws(Failure) -> Raster {
        guard colour.needsMapping || isUncommon else {
            let bytes = try scaled(planes, to: size, channels == 4 ? .rgba : .rgb)
            return Raster(size: size, channels: channels, bytes: bytes)
        }
        let signal =
            isUncommon
            ? try convertedSignal(planes, size) : try scaled(planes, to: size, channels == 4 ? .rgba16 : .rgb16)
        let channels = isUncommon ? 3 : channels
        let bytes = [UInt8](unsafeUninitializedCapacity: size.pixelCount * channels) { bytes, filled in
            filled = size.pixelCount * channels
            let bytes = UnsafeMutableBufferPointer(rebasing: bytes[..<filled])
            signal.withUnsafeBytes { signal in
                let signal = signal.bindMemory(to: UInt16.self)
                if colour.needsMapping {
                    DisplayMapping(colour).map(signal, channels: channels, to: bytes)
                } else {
                    for place in bytes.indices { bytes[place] = UInt8((UInt32(signal[place]) * 255 + 32_767) / 65_535) }
                }
            }
        }
        return Raster(size: size, channels: channels, bytes: bytes)
    }

    private var isUncommon: Bool { colour.matrix.swscaleNumber == nil && !frame.format.isRGB && !frame.format.isGray }

    private func convertedSignal(_ planes: FramePlanes, _ size: PixelSize) throws(Failure) -> [UInt8] {
        let differences = try scaled(planes, to: size, .planes16)
        let matrix = UncommonMatrix(colour, depth: frame.format.depth)
        return [UInt8](unsafeUninitializedCapacity: differences.count) { bytes, filled in
            filled = differences.count
            differences.withUnsafeBytes { differences in
                matrix.convert(
                    differences.bindMemory(to: UInt16.self),
                    to: UnsafeMutableRawBufferPointer(bytes).bindMemory(to: UInt16.self))
            }
        }
    }

    private func scaled(
        _ planes: FramePlanes, to size: PixelSize, _ output: Scaler.Output
    ) throws(Failure) -> [UInt8] {
        let count = size.pixelCount * output.bytesPerPixel
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
        return bytes
    }

    /// Refuses large allocations, since Swift ends the process if memory runs out.
    private func requireMemory(_ byteCount: Int) throws(Failure) {
        guard UInt64(byteCount) > limits.memoryByteCount / 2 else { return }
        throw .outOfMemory("\(byteCount) bytes for pixels")
    }
}
