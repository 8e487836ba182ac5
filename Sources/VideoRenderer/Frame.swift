internal import CFFmpeg
internal import Media

/// Owns an `AVFrame`: one decoded picture, in the decoder's own colours.
final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(Failure) {
        guard let pointer = av_frame_alloc() else { throw .outOfMemory("av_frame_alloc") }
        self.pointer = pointer
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// The size as stored, with the codec's own cut applied.
    var size: PixelSize { PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }

    var format: PixelFormat { PixelFormat(AVPixelFormat(pointer.pointee.format)) }

    /// Whether the decoder had to conceal errors.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    var isKey: Bool { pointer.pointee.key_frame != 0 }

    var isInterlaced: Bool { pointer.pointee.interlaced_frame != 0 }

    /// When the frame is shown, in units of its stream; `nil` where neither container nor codec say.
    var time: Int64? {
        let time = pointer.pointee.best_effort_timestamp
        return time == cffmpeg_no_time ? nil : time
    }

    /// For how long it is shown, in units of its stream; 0 where it is not known.
    var duration: Int64 { max(0, pointer.pointee.pkt_duration) }

    /// The turn that the codec itself asks for (H.264 and HEVC: an SEI message).
    var displayMatrix: DisplayMatrix? {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        return DisplayMatrix(UnsafeRawBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
    }
}
