internal import Media

extension Orientation {
    /// Writes a stored picture as the orientation shows it.
    ///
    /// - Parameters:
    ///   - pixels: rows of `size` without gaps.
    ///   - channels: the number of bytes per pixel.
    ///   - target: as many bytes as `pixels`.
    func turn(_ pixels: [UInt8], of size: PixelSize, channels: Int, into target: UnsafeMutableRawBufferPointer) {
        if self == .upright { return target.copyBytes(from: pixels) }
        let shown = turned(size)
        func index(_ x: Int, _ y: Int) -> Int {
            let place = stored(x: x, y: y, in: size)
            return (place.y * size.width + place.x) * channels
        }
        let across = shown.width > 1 ? index(1, 0) - index(0, 0) : 0
        var to = 0
        for y in 0..<shown.height {
            var from = index(0, y)
            for _ in 0..<shown.width {
                for channel in 0..<channels { target[to + channel] = pixels[from + channel] }
                to += channels
                from += across
            }
        }
    }
}
