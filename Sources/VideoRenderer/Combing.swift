internal import CFFmpeg
internal import Media

/// Whether the two fields of an interlaced frame were taken at visibly different moments.
///
/// Much that is stored as interlaced was filmed progressively: there both fields make one sharp picture, and leaving one out
/// would only cost half its rows.
enum Combing {
    /// Judges 8-bit brightness; a frame that has none counts as combed.
    static func isVisible(in planes: FramePlanes) -> Bool {
        guard planes.format.hasByteBrightness, let start = planes.rows[0], planes.size.height >= 8 else { return true }
        let rowBytes = Int(planes.rowBytes[0])
        var combed = 0
        var seen = 0
        // A row in four and a pixel in two are enough of a sample.
        for row in stride(from: 1, to: planes.size.height - 2, by: 4) {
            let line = start + row * rowBytes
            for x in stride(from: 0, to: planes.size.width, by: 2) where isTooth(line + x, rowBytes) { combed += 1 }
            seen += planes.size.width / 2
        }
        return combed * 250 > seen
    }

    /// A pixel that differs from both rows beside it in the same direction, while those two rows, of the other field, agree.
    private static func isTooth(_ pixel: UnsafePointer<UInt8>, _ rowBytes: Int) -> Bool {
        let own = Int(pixel[0])
        let above = Int(pixel[-rowBytes])
        let below = Int(pixel[rowBytes])
        let next = Int(pixel[2 * rowBytes])
        let up = own - above
        let down = own - below
        return up * down > 0 && min(abs(up), abs(down)) > 12 && abs(above - below) < 8 && abs(own - next) < 8
    }
}
