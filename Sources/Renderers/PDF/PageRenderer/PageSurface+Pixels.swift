internal import Media
internal import Rendering

extension PageSurface {
    /// Whether all pixels are white. Stops at the first row that has another pixel.
    var isWhite: Bool {
        (0..<area.size.height).allSatisfy { row in
            withRow(row) { pixels in
                let words = UnsafeRawPointer(pixels).assumingMemoryBound(to: UInt32.self)
                // Blue, green and red are the lower three bytes; the fourth has no meaning.
                var common: UInt32 = 0xFF_FFFF
                for column in 0..<area.size.width { common &= words[column] }
                return common == 0xFF_FFFF
            }
        }
    }
}

extension PageSurface {
    /// Copies a part of the scaled page as RGB, in rows from the top without gaps.
    ///
    /// - Precondition: `part` lies in `area`, and `rows` holds three bytes for each of its pixels.
    func copy(_ part: PixelArea, to rows: UnsafeMutablePointer<UInt8>) {
        for row in 0..<part.size.height {
            withRow(row + part.y - area.y) { pixels in
                Self.copyPixels(
                    of: UnsafeRawPointer(pixels + (part.x - area.x) * 4), count: part.size.width,
                    to: UnsafeMutableRawPointer(rows + row * part.size.width * 3))
            }
        }
    }

    /// Four pixels are three words of the result: a third of the stores that single bytes would take.
    private static func copyPixels(of source: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
        func pixel(_ index: Int) -> UInt32 {
            source.load(fromByteOffset: index * 4, as: UInt32.self).byteSwapped >> 8
        }
        let whole = count & ~3
        for index in stride(from: 0, to: whole, by: 4) {
            let (first, second, third, fourth) = (pixel(index), pixel(index + 1), pixel(index + 2), pixel(index + 3))
            target.storeBytes(of: first | second << 24, toByteOffset: index * 3, as: UInt32.self)
            target.storeBytes(of: second >> 8 | third << 16, toByteOffset: index * 3 + 4, as: UInt32.self)
            target.storeBytes(of: third >> 16 | fourth << 8, toByteOffset: index * 3 + 8, as: UInt32.self)
        }
        for index in whole..<count {
            for byte in 0..<3 {
                let value = UInt8(truncatingIfNeeded: pixel(index) >> (8 * byte))
                target.storeBytes(of: value, toByteOffset: index * 3 + byte, as: UInt8.self)
            }
        }
    }
}

extension PageSurface {
    /// Averages a smaller layout from this surface, as RGB, in rows from the top without gaps.
    ///
    /// - Precondition: `layout` is of the same page at a smaller scale, its crop lies in `area`, and `rows` holds three
    ///   bytes for each of its pixels.
    func average(_ layout: Layout, to rows: UnsafeMutablePointer<UInt8>) {
        withRow(0) { pixels in
            AreaAveraging(layout, of: scaled, within: area, pixels: pixels, bytesPerRow: bytesPerRow).write(to: rows)
        }
    }
}
