package import Media

/// Pixels in memory: 8 bits per channel, RGB or RGBA without premultiplied alpha, in rows from the top without gaps.
package struct Raster: Equatable, Sendable {
    /// Width and height.
    package let size: PixelSize

    /// 3 or 4.
    package let channels: Int

    /// The samples: width × height × channels.
    package var bytes: [UInt8]

    /// Creates a raster from samples.
    ///
    /// - Parameter bytes: width × height × channels samples.
    package init(size: PixelSize, channels: Int, bytes: [UInt8]) {
        precondition(bytes.count == size.pixelCount * channels, "a raster has no gaps")
        self.size = size
        self.channels = channels
        self.bytes = bytes
    }

    /// Whether all pixels are opaque.
    package var isOpaque: Bool {
        channels == 3
            || bytes.withUnsafeBufferPointer { bytes in
                stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
            }
    }

    /// The same pixels with 3 channels, without alpha, or with 4.
    package func with(channels wanted: Int) -> Raster {
        if wanted == channels { return self }
        var result = [UInt8](repeating: 255, count: size.pixelCount * wanted)
        for pixel in 0..<size.pixelCount {
            for channel in 0..<3 { result[pixel * wanted + channel] = bytes[pixel * channels + channel] }
        }
        return Raster(size: size, channels: wanted, bytes: result)
    }
}

extension Raster {
    /// Writes an area of the picture as shown, rotated.
    ///
    /// - Parameters:
    ///   - area: the area in coordinates of the picture as shown.
    ///   - target: area width × height × channels bytes; rows from the top without gaps.
    package func write(_ area: PixelArea, shownBy orientation: Orientation, to target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == area.size.pixelCount * channels, "the target is as large as the area")
        bytes.withUnsafeBytes { source in
            for row in 0..<area.size.height {
                let start = orientation.stored(x: area.x, y: area.y + row, in: size)
                let rowBytes = area.size.width * channels
                let line = UnsafeMutableRawBufferPointer(rebasing: target[row * rowBytes..<(row + 1) * rowBytes])
                let from = (start.y * size.width + start.x) * channels
                if orientation == .upright {
                    line.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[from..<from + rowBytes]))
                } else {
                    copy(source, from: from, step: step(of: orientation), to: line)
                }
            }
        }
    }

    /// The distance in bytes from a stored pixel to the pixel that is shown on its right.
    private func step(of orientation: Orientation) -> Int {
        let one = orientation.stored(x: 0, y: 0, in: size)
        let other = orientation.stored(x: 1, y: 0, in: size)
        return ((other.y - one.y) * size.width + other.x - one.x) * channels
    }

    private func copy(_ source: UnsafeRawBufferPointer, from: Int, step: Int, to line: UnsafeMutableRawBufferPointer) {
        var position = from
        for place in stride(from: 0, to: line.count, by: channels) {
            for channel in 0..<channels { line[place + channel] = source[position + channel] }
            position += step
        }
    }
}
