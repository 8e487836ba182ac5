public import Media

// What is left to do between a renderer's pixels and the encoder. Nothing is copied where nothing is to do.
extension Bitmap {
    /// Whether every pixel is opaque.
    public var isOpaque: Bool {
        guard hasAlpha else { return true }
        return withUnsafeBytes { bytes in
            (0..<height).allSatisfy { row in
                // Every fourth byte of a row is its alpha; the row lies within the memory.
                let start = row * bytesPerRow
                return stride(from: start + 3, to: start + width * 4, by: 4).allSatisfy { bytes[$0] == 255 }
            }
        }
    }

    /// RGB over a colour.
    public func flattened(on background: Colour) -> Bitmap {
        guard hasAlpha else { return self }
        let ground = [Int(background.red), Int(background.green), Int(background.blue)]
        return Bitmap.made(width: width, height: height, channels: 3) { target in
            withUnsafeBytes { source in
                for row in 0..<height {
                    var from = row * bytesPerRow
                    var to = row * width * 3
                    for _ in 0..<width {
                        let alpha = Int(source[from + 3])
                        for channel in 0..<3 {
                            let sum = Int(source[from + channel]) * alpha + ground[channel] * (255 - alpha)
                            target[to + channel] = UInt8((sum + 127) / 255)
                        }
                        from += 4
                        to += 3
                    }
                }
            }
        }
    }

    /// The picture in the middle of a canvas of the background's colour.
    ///
    /// - Precondition: the canvas is at least as large as the picture.
    public func padded(to canvas: PixelSize, background: Colour) -> Bitmap {
        if canvas == size { return self }
        precondition(canvas.width >= width && canvas.height >= height, "a canvas holds its picture")
        let pixel = [background.red, background.green, background.blue, 255].prefix(channels)
        let left = (canvas.width - width) / 2, top = (canvas.height - height) / 2
        return Bitmap.made(width: canvas.width, height: canvas.height, channels: channels) { target in
            for (offset, value) in pixel.enumerated() {
                for index in stride(from: offset, to: target.count, by: channels) { target[index] = value }
            }
            withUnsafeBytes { source in
                for row in 0..<height {
                    let to = ((row + top) * canvas.width + left) * channels
                    let count = width * channels
                    UnsafeMutableRawBufferPointer(rebasing: target[to..<to + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[row * bytesPerRow..<row * bytesPerRow + count]))
                }
            }
        }
    }

    /// A bitmap whose bytes `fill` writes, all of them.
    static func made(
        width: Int, height: Int, channels: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> Bitmap {
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, count in
            fill(UnsafeMutableRawBufferPointer(buffer))
            count = buffer.count
        }
        return Bitmap(width: width, height: height, channels: channels, bytes: bytes)
    }
}
