internal import Media

extension PixelArea {
    /// The smallest area that contains both areas.
    func union(_ other: PixelArea) -> PixelArea {
        let left = min(x, other.x)
        let top = min(y, other.y)
        let right = max(x + size.width, other.x + other.size.width)
        let bottom = max(y + size.height, other.y + other.size.height)
        return PixelArea(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }
}

extension Layout {
    /// The visible part of the scaled page.
    var crop: PixelArea { PixelArea(x: cropX, y: cropY, size: cropped) }

    /// The same part of the page at another scale, enlarged to whole pixels.
    func crop(scaledTo other: PixelSize) -> PixelArea {
        func span(_ origin: Int, _ length: Int, _ side: Int, _ otherSide: Int) -> (Int, Int) {
            let factor = Double(otherSide) / Double(side)
            let start = Int((Double(origin) * factor).rounded(.down))
            let end = min(otherSide, Int((Double(origin + length) * factor).rounded(.up)))
            return (start, end - start)
        }
        let (x, width) = span(cropX, cropped.width, scaled.width, other.width)
        let (y, height) = span(cropY, cropped.height, scaled.height, other.height)
        return PixelArea(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}
