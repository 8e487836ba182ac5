internal import CFFmpeg
internal import Media

/// Whether the two fields of an interlaced frame were taken at visibly different moments.
///
/// Much that is stored as interlaced was filmed progressively: there both fields make one sharp picture, and leaving one out
/// would only cost half its rows.
enum Combing {
    /// Judges brightness, at 8 bits; a frame whose first component is none, or lies in no plane of its own, counts as combed.
    static func isVisible(in planes: FramePlanes) -> Bool {
        guard let depth = planes.format.brightnessDepth, let start = planes.rows[0], planes.size.height >= 8 else {
            return true
        }
        let step = depth > 8 ? 2 : 1
        // The machine is little-endian, and so are these formats: the upper bits lie in both bytes.
        let shift = depth - 8
        return isVisible(start, rowBytes: Int(planes.rowBytes[0]), planes.size, step: step) { pixel in
            shift == 0 ? Int(pixel[0]) : (Int(pixel[0]) | Int(pixel[1]) << 8) >> shift
        }
    }

    @inline(__always)
    private static func isVisible(
        _ start: UnsafePointer<UInt8>, rowBytes: Int, _ size: PixelSize, step: Int,
        _ brightness: (UnsafePointer<UInt8>) -> Int
    ) -> Bool {
        var combed = 0
        var seen = 0
        // A row in four and a pixel in two are enough of a sample.
        for row in stride(from: 1, to: size.height - 2, by: 4) {
            let line = start + row * rowBytes
            for x in stride(from: 0, to: size.width, by: 2) {
                let pixel = line + x * step
                let isTooth = isTooth(
                    brightness(pixel), above: brightness(pixel - rowBytes), below: brightness(pixel + rowBytes),
                    next: brightness(pixel + 2 * rowBytes))
                if isTooth { combed += 1 }
            }
            seen += size.width / 2
        }
        return combed * 250 > seen
    }

    /// A pixel that differs from both rows beside it in the same direction, while those two rows, of the other field, agree.
    @inline(__always)
    private static func isTooth(_ own: Int, above: Int, below: Int, next: Int) -> Bool {
        let up = own - above
        let down = own - below
        return up * down > 0 && min(abs(up), abs(down)) > 12 && abs(above - below) < 8 && abs(own - next) < 8
    }
}
