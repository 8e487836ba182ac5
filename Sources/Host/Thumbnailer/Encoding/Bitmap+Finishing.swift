public import Media

// The steps between a renderer's pixels and the encoder; a step without effect copies nothing.
extension Bitmap {
    /// Whether every pixel is opaque.
    public var isOpaque: Bool {
        guard hasAlpha else { return true }
        return withUnsafeBytes { bytes in
            for row in 0..<height {
                // Every fourth byte of a row is alpha; a row holds `width * 4` bytes.
                let start = row * bytesPerRow
                var common: UInt8 = 255
                for column in 0..<width { common &= bytes[start + column * 4 + 3] }
                if common != 255 { return false }
            }
            return true
        }
    }

    /// RGB: each pixel over a background, rounded to the nearest level.
    public func flattened(on background: Colour) -> Bitmap {
        guard hasAlpha else { return self }
        let (red, green, blue) = (UInt32(background.red), UInt32(background.green), UInt32(background.blue))
        return Bitmap.made(width: width, height: height, channels: 3) { target in
            forEachRow { row, pixels in
                // The target has `width * 3` bytes for each row, a row four bytes for each pixel.
                let start = row * width * 3
                for column in 0..<width {
                    let from = column * 4
                    let to = start + column * 3
                    let alpha = UInt32(pixels[from + 3])
                    if alpha == 255 {
                        // The most common case, without arithmetic.
                        (target[to], target[to + 1], target[to + 2]) = (
                            pixels[from], pixels[from + 1], pixels[from + 2]
                        )
                        continue
                    }
                    target[to] = Self.mix(pixels[from], red, alpha)
                    target[to + 1] = Self.mix(pixels[from + 1], green, alpha)
                    target[to + 2] = Self.mix(pixels[from + 2], blue, alpha)
                }
            }
        }
    }

    /// The picture at the centre of a canvas of the background's colour.
    ///
    /// - Precondition: the canvas is at least as large as the picture.
    public func padded(to canvas: PixelSize, background: Colour) -> Bitmap {
        if canvas == size { return self }
        precondition(canvas.width >= width && canvas.height >= height, "a canvas holds its picture")
        let left = (canvas.width - width) / 2
        let top = (canvas.height - height) / 2
        return Bitmap.made(width: canvas.width, height: canvas.height, channels: channels) { target in
            Self.fill(target, with: background, rowByteCount: canvas.width * channels, channels: channels)
            forEachRow { row, pixels in
                let start = ((row + top) * canvas.width + left) * channels
                UnsafeMutableRawBufferPointer(rebasing: target[start..<start + pixels.count]).copyMemory(from: pixels)
            }
        }
    }

    private static func mix(_ value: UInt8, _ background: UInt32, _ alpha: UInt32) -> UInt8 {
        // The dividend is at most 255 × 255 + 127, and a half cannot occur because 255 is odd.
        UInt8(truncatingIfNeeded: (UInt32(value) * alpha + background * (255 - alpha) + 127) / 255)
    }

    /// Fills whole rows: the first one pixel by pixel, the others by copying it.
    private static func fill(
        _ target: UnsafeMutableRawBufferPointer, with colour: Colour, rowByteCount: Int, channels: Int
    ) {
        for start in stride(from: 0, to: rowByteCount, by: channels) {
            target[start] = colour.red
            target[start + 1] = colour.green
            target[start + 2] = colour.blue
            if channels == 4 { target[start + 3] = 255 }
        }
        let first = UnsafeRawBufferPointer(rebasing: target[..<rowByteCount])
        for start in stride(from: rowByteCount, to: target.count, by: rowByteCount) {
            UnsafeMutableRawBufferPointer(rebasing: target[start..<start + rowByteCount]).copyMemory(from: first)
        }
    }
}
