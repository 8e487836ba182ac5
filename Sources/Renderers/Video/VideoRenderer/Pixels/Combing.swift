internal import CFFmpeg
internal import Media

/// Detects combing: fields of an interlaced frame that were taken at visibly different times.
///
/// Many videos that are stored as interlaced were filmed progressively. Their two fields form one sharp picture, and
/// dropping one would lose half of the rows.
enum Combing {
    /// Whether luma shows combing. A frame without a luma plane counts as combed.
    static func isVisible(in planes: FramePlanes) -> Bool {
        guard let depth = planes.format.lumaDepth, let start = planes.rows[0], planes.size.height >= 8 else {
            return true
        }
        let step = depth > 8 ? 2 : 1
        // The format is little-endian, whatever its depth.
        let shift = depth - 8
        return isVisible(start, rowBytes: Int(planes.rowBytes[0]), planes.size, step: step) { pixel in
            shift == 0 ? Int(pixel[0]) : (Int(pixel[0]) | Int(pixel[1]) << 8) >> shift
        }
    }

    @inline(__always)
    private static func isVisible(
        _ start: UnsafePointer<UInt8>, rowBytes: Int, _ size: PixelSize, step: Int,
        _ luma: (UnsafePointer<UInt8>) -> Int
    ) -> Bool {
        var combed = 0
        var seen = 0
        // One row in four and one pixel in two are a sufficient sample.
        for row in stride(from: 1, to: size.height - 2, by: 4) {
            let line = start + row * rowBytes
            for x in stride(from: 0, to: size.width, by: 2) {
                let pixel = line + x * step
                let isTooth = isTooth(
                    luma(pixel), above: luma(pixel - rowBytes), below: luma(pixel + rowBytes),
                    next: luma(pixel + 2 * rowBytes))
                if isTooth { combed += 1 }
            }
            seen += size.width / 2
        }
        return combed * 250 > seen
    }

    /// Whether a pixel is brighter, or darker, than both of its neighbours in the other field, while those two agree.
    @inline(__always)
    private static func isTooth(_ own: Int, above: Int, below: Int, next: Int) -> Bool {
        let up = own - above
        let down = own - below
        return up * down > 0 && min(abs(up), abs(down)) > 12 && abs(above - below) < 8 && abs(own - next) < 8
    }
}
