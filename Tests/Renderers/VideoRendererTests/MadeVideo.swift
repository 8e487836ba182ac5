/// Builds an uncompressed AVI file of frames of one grey with a white left upper quarter.
struct MadeVideo {
    var width = 64
    var height = 48
    var framesPerSecond = 10
    /// The numerator of the time base, whose denominator is `framesPerSecond`; 1 in a sound file.
    var timeScale = 1
    /// When the first frame is shown, in units.
    var start = 0
    /// The grey of each frame.
    var greys: [UInt8]
    /// Whether the index marks a frame as a key frame, by its number.
    var isKey: (Int) -> Bool = { _ in true }
    /// The grey of the left upper quarter, by the frame's number.
    var corner: (Int) -> UInt8 = { _ in 255 }

    /// The whole file: RIFF, headers, frames, index.
    var bytes: [UInt8] {
        var movie = Array("movi".utf8)
        var index: [UInt8] = []
        for (number, grey) in greys.enumerated() {
            index +=
                Array("00db".utf8) + little(isKey(number) ? 0x10 : 0) + little(movie.count) + little(frameByteCount)
            movie += chunk("00db", frame(grey, corner: corner(number)))
        }
        let headers = Array("hdrl".utf8) + chunk("avih", mainHeader) + chunk("LIST", streamList)
        return chunk("RIFF", Array("AVI ".utf8) + chunk("LIST", headers) + chunk("LIST", movie) + chunk("idx1", index))
    }

    private var frameByteCount: Int { width * 3 * height }

    /// Blue, green, red; the bottom row first.
    private func frame(_ grey: UInt8, corner: UInt8) -> [UInt8] {
        (0..<height).flatMap { row in
            (0..<width).flatMap { x -> [UInt8] in
                let isCorner = height - 1 - row < height / 2 && x < width / 2
                return isCorner ? [corner, corner, corner] : [grey, grey, grey]
            }
        }
    }

    private var mainHeader: [UInt8] {
        [1_000_000 / framesPerSecond, 0, 0, 0x10, greys.count, 0, 1, 0, width, height, 0, 0, 0, 0].flatMap(little)
    }

    private var streamList: [UInt8] {
        let header =
            Array("vidsDIB ".utf8)
            + [0, 0, 0, timeScale, framesPerSecond, start, greys.count, frameByteCount, 0, 0].flatMap(little)
            + little(0)
            + little(width | height << 16)
        let format =
            [40, width, height].flatMap(little) + [1, 0, 24, 0] + [0, frameByteCount, 0, 0, 0, 0].flatMap(little)
        return Array("strl".utf8) + chunk("strh", header) + chunk("strf", format)
    }

    private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }
}

/// Builds a Windows bitmap of 24 bits a pixel.
struct MadeBitmap {
    var width: Int
    var height: Int
    /// Red, green and blue of the pixel at (x, y), the top row first.
    var pixel: (Int, Int) -> (UInt8, UInt8, UInt8)

    var bytes: [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - width * 3 % 4) % 4)
        let rows = (0..<height).reversed().flatMap { y in
            (0..<width).flatMap { x in
                let (r, g, b) = pixel(x, y)
                return [b, g, r]
            } + padding
        }
        let header = little(40) + little(width) + little(height) + [1, 0, 24, 0] + little(0) + little(rows.count)
        return Array("BM".utf8) + little(54 + rows.count) + little(0) + little(54) + header
            + [UInt8](repeating: 0, count: 16) + rows
    }

    private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
}
