internal import CFFmpeg
internal import Media

/// Pointers to the planes of a frame or of one of its fields, in the form for libswscale. They must not outlive the
/// frame.
struct FramePlanes {
    private(set) var rows: [UnsafePointer<UInt8>?]
    private(set) var rowBytes: [Int32]
    private(set) var size: PixelSize
    let format: PixelFormat

    init(of frame: Frame) {
        let values = frame.pointer.pointee
        // libswscale reads four of the eight pointers. The second pointer of a paletted frame is the palette.
        rows = [values.data.0, values.data.1, values.data.2, values.data.3].map { $0.map { UnsafePointer($0) } }
        rowBytes = [values.linesize.0, values.linesize.1, values.linesize.2, values.linesize.3]
        size = frame.size
        format = frame.format
    }

    /// One of the two fields of an interlaced frame: every other row, from the first or the second.
    func field(isSecond: Bool) -> FramePlanes {
        var field = self
        field.size.height = max(1, size.height / 2)
        for plane in rows.indices where rowBytes[plane] != 0 {
            if isSecond { field.rows[plane] = rows[plane]?.advanced(by: Int(rowBytes[plane])) }
            field.rowBytes[plane] *= 2
        }
        return field
    }
}
