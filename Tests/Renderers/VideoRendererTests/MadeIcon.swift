/// Builds a Windows icon or cursor of bitmaps (ICONDIR, ICONDIRENTRY, BITMAPINFOHEADER).
struct MadeIcon {
    struct Picture {
        var width = 4
        var height = 4
        /// Bits of a pixel: 1 (two colours), 24 or 32.
        var depth = 32
        /// Blue, green, red and alpha of the pixel at (x, y), the top row first; with 1 bit, alpha's lowest is the
        /// colour's number.
        var pixel: (Int, Int) -> [UInt8]
        /// Whether the mask hides a pixel; without one there is no mask.
        var isHidden: ((Int, Int) -> Bool)? = { _, _ in false }
        /// The bytes to write in place of all this.
        var bytes: [UInt8]?
    }

    var isCursor = false
    var pictures: [Picture]
    /// The offset of a picture in the directory, by its number; `nil` for the true one.
    var place: (Int) -> Int? = { _ in nil }

    var bytes: [UInt8] {
        let contents = pictures.map { $0.bytes ?? Self.bitmap($0) }
        var directory = [0, 0, isCursor ? 2 : 1, 0, UInt8(pictures.count), 0]
        var start = 6 + 16 * pictures.count
        for (index, content) in contents.enumerated() {
            let picture = pictures[index]
            // A cursor has its hot spot in place of planes and depth.
            directory += [UInt8(truncatingIfNeeded: picture.width), UInt8(truncatingIfNeeded: picture.height), 0, 0]
            directory += isCursor ? [1, 0, 2, 0] : [1, 0, UInt8(picture.depth), 0]
            directory += little(content.count) + little(place(index) ?? start)
            start += content.count
        }
        return directory + contents.flatMap { $0 }
    }

    private static func bitmap(_ picture: Picture) -> [UInt8] {
        let header =
            [40, picture.width, picture.height * 2].flatMap(little) + [1, 0, UInt8(picture.depth), 0]
            + [UInt8](repeating: 0, count: 24)
        // Two colours: black, and a yellow.
        let colours: [UInt8] = picture.depth == 1 ? [0, 0, 0, 0, 20, 200, 240, 0] : []
        let rows = rows(picture) { x, y in
            let colour = picture.pixel(x, y)
            return picture.depth == 1 ? [colour[3] & 1] : Array(colour.prefix(picture.depth / 8))
        }
        let mask = picture.isHidden.map { isHidden in
            var mask = picture
            mask.depth = 1
            return self.rows(mask) { x, y in [isHidden(x, y) ? 1 : 0] }
        }
        return header + colours + rows + (mask ?? [])
    }

    /// The bottom row first, each a multiple of four bytes.
    private static func rows(_ picture: Picture, _ value: (Int, Int) -> [UInt8]) -> [UInt8] {
        (0..<picture.height).reversed().flatMap { y in
            var row = (0..<picture.width).flatMap { value($0, y) }
            if picture.depth == 1 {
                row = stride(from: 0, to: row.count, by: 8).map { start in
                    row[start..<min(start + 8, row.count)].enumerated().reduce(0) { $0 | $1.element << (7 - $1.offset) }
                }
            }
            return row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
    }
}

private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
