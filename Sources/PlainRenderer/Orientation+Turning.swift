internal import Media

extension Orientation {
    /// Writes a stored picture as it is to be shown.
    ///
    /// - Parameters:
    ///   - pixels: three bytes a pixel, rows of `size` without gaps.
    ///   - target: as many bytes.
    func turn(_ pixels: [UInt8], of size: PixelSize, into target: UnsafeMutableRawBufferPointer) {
        if self == .upright { return target.copyBytes(from: pixels) }
        let shown = turned(size)
        func index(_ x: Int, _ y: Int) -> Int {
            let place = stored(x: x, y: y, in: size)
            return (place.y * size.width + place.x) * 3
        }
        let across = shown.width > 1 ? index(1, 0) - index(0, 0) : 0
        var to = 0
        for y in 0..<shown.height {
            var from = index(0, y)
            for _ in 0..<shown.width {
                target[to] = pixels[from]
                target[to + 1] = pixels[from + 1]
                target[to + 2] = pixels[from + 2]
                to += 3
                from += across
            }
        }
    }
}
