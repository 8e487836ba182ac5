internal import CFFmpeg
internal import Media

/// Owns an `AVFrame`: one decoded picture in the decoder's own pixel format.
final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// Whether it is a single field, half as high as the picture.
    private(set) var isSingleField = false

    init() throws(Failure) {
        guard let pointer = av_frame_alloc() else { throw .outOfMemory("av_frame_alloc") }
        self.pointer = pointer
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// The size as stored, with the codec's own crop applied.
    var size: PixelSize { PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }

    var format: PixelFormat { PixelFormat(AVPixelFormat(pointer.pointee.format)) }

    /// Whether the decoder had to conceal errors.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    var isKey: Bool { cffmpeg_frame_is_key(pointer) != 0 }

    var isInterlaced: Bool { cffmpeg_frame_is_interlaced(pointer) != 0 }

    var isTopFieldFirst: Bool { cffmpeg_frame_is_top_field_first(pointer) != 0 }

    /// The presentation time; `nil` if neither the container nor the codec states it.
    var time: StreamTime? { StreamTime(pointer.pointee.best_effort_timestamp) }

    /// The display duration of the frame; `nil` if it is unknown.
    var duration: StreamTime? { StreamTime(cffmpeg_frame_duration(pointer)).flatMap { $0 > .zero ? $0 : nil } }

    /// The codec's own display matrix: in H.264 and HEVC an SEI message.
    var displayMatrix: DisplayMatrix? {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX) else { return nil }
        return DisplayMatrix(UnsafeRawBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
    }
}

extension Frame {
    /// Fills properties that the codec leaves unspecified with the values in the container's header.
    func complete(from stream: Stream) {
        let known = stream.parameters
        if pointer.pointee.colorspace == AVCOL_SPC_UNSPECIFIED { pointer.pointee.colorspace = known.color_space }
        if pointer.pointee.color_range == AVCOL_RANGE_UNSPECIFIED { pointer.pointee.color_range = known.color_range }
        if pointer.pointee.color_trc == AVCOL_TRC_UNSPECIFIED { pointer.pointee.color_trc = known.color_trc }
        if pointer.pointee.color_primaries == AVCOL_PRI_UNSPECIFIED {
            pointer.pointee.color_primaries = known.color_primaries
        }
        guard !isInterlaced else { return markSingleField(of: stream) }
        switch known.field_order {
        case AV_FIELD_TT, AV_FIELD_TB: cffmpeg_frame_set_fields(pointer, 1, 1)
        case AV_FIELD_BB, AV_FIELD_BT: cffmpeg_frame_set_fields(pointer, 1, 0)
        default: return
        }
    }

    /// FFmpeg's HEVC decoder returns fields one by one, and marks only these as interlaced.
    private func markSingleField(of stream: Stream) {
        guard stream.codecID == AV_CODEC_ID_HEVC else { return }
        isSingleField = true
        cffmpeg_frame_set_fields(pointer, 0, 0)
    }

    /// Crops to an aperture: in proportion if the frame was decoded at 1/2ⁿ of its size.
    func crop(to aperture: CleanAperture, shrinkPowers: Int) {
        let unit = 1 << shrinkPowers
        let right = size.width - (aperture.left + aperture.size.width) / unit
        let bottom = size.height - (aperture.top + aperture.size.height) / unit
        pointer.pointee.crop_left = aperture.left / unit
        pointer.pointee.crop_top = aperture.top / unit
        pointer.pointee.crop_right = max(0, right)
        pointer.pointee.crop_bottom = max(0, bottom)
        // The row that is now the first may belong to the other field.
        if isInterlaced, aperture.top / unit % 2 == 1 {
            cffmpeg_frame_set_fields(pointer, 1, isTopFieldFirst ? 0 : 1)
        }
        // Fails if nothing would remain: then the whole frame is kept.
        av_frame_apply_cropping(pointer, Int32(AV_FRAME_CROP_UNALIGNED))
    }
}
