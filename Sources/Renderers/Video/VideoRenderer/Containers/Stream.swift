internal import CFFmpeg
internal import Media

/// One stream of a container, as the container's header describes it. It must not outlive its container.
struct Stream {
    let pointer: UnsafeMutablePointer<AVStream>

    init(_ pointer: UnsafeMutablePointer<AVStream>) { self.pointer = pointer }

    var index: Int { Int(pointer.pointee.index) }

    /// The container's own number of the stream: in MP4 the `track_ID`.
    var number: Int { Int(pointer.pointee.id) }

    /// The codec's parameters in the container's header.
    var parameters: AVCodecParameters { pointer.pointee.codecpar.pointee }

    var codecID: AVCodecID { parameters.codec_id }

    /// FFmpeg's short name of the codec, such as `h264` or `aac`; `nil` for an unknown codec.
    var codecName: String? {
        codecID == AV_CODEC_ID_NONE ? nil : String(cString: avcodec_get_name(codecID))
    }

    var isPicture: Bool { parameters.codec_type == AVMEDIA_TYPE_VIDEO }

    var isSound: Bool { parameters.codec_type == AVMEDIA_TYPE_AUDIO }

    /// Whether it is cover art or another attached picture, which is one packet in the header.
    var isCover: Bool { isPicture && has(AV_DISPOSITION_ATTACHED_PIC) }

    /// Whether it is a video to be watched, and neither cover art nor thumbnails.
    var isMovingPicture: Bool { isPicture && !isCover && !has(AV_DISPOSITION_TIMED_THUMBNAILS) }

    var isDefault: Bool { has(AV_DISPOSITION_DEFAULT) }

    private func has(_ flag: Int32) -> Bool { pointer.pointee.disposition & flag != 0 }

    /// The size as stored; `nil` if the container's header does not state it.
    var size: PixelSize? {
        guard parameters.width > 0, parameters.height > 0 else { return nil }
        return PixelSize(width: Int(parameters.width), height: Int(parameters.height))
    }

    /// Whether the header suffices to open a decoder.
    var isKnown: Bool { codecID != AV_CODEC_ID_NONE && size != nil }

    var timeBase: TimeBase { TimeBase(pointer.pointee.time_base.num, over: pointer.pointee.time_base.den) }

    /// The presentation time of the first frame; `nil` if it is unknown.
    var startTime: StreamTime? { StreamTime(pointer.pointee.start_time) }

    /// The duration in seconds; `nil` if it is unknown.
    var duration: Double? { StreamTime(pointer.pointee.duration).flatMap { $0 > .zero ? timeBase.seconds($0) : nil } }

    /// Frames per second: the average, or the base rate if the container lacks the average.
    var frameRate: Double? {
        let rates = [pointer.pointee.avg_frame_rate, pointer.pointee.r_frame_rate]
        return rates.first { $0.num > 0 && $0.den > 0 }.map { Double($0.num) / Double($0.den) }
    }

    /// The pixel aspect ratio; 0 if the container does not state it.
    var pixelAspectRatio: AVRational {
        let own = pointer.pointee.sample_aspect_ratio
        return own.num > 0 ? own : parameters.sample_aspect_ratio
    }

    /// Whether the decoder can decode at 1/2, 1/4 and 1/8 of the size and thereby saves time.
    var canDecodeSmaller: Bool { codecID == AV_CODEC_ID_MJPEG || codecID == AV_CODEC_ID_MPEG2VIDEO }

    /// The packet of attached cover art.
    ///
    /// - Throws: `corrupt` if it is empty.
    func coverPacket() throws(Failure) -> Packet {
        guard pointer.pointee.attached_pic.size > 0 else { throw Failure(.corrupt, detail: "the cover is empty") }
        return try Packet(sharing: &pointer.pointee.attached_pic)
    }

    /// Makes FFmpeg skip the stream's packets.
    func disable() { pointer.pointee.discard = AVDISCARD_ALL }

    /// The container's display matrix; `nil` if it has none.
    var displayMatrix: DisplayMatrix? { sideData(AV_PKT_DATA_DISPLAYMATRIX).flatMap(DisplayMatrix.init) }

    /// Whether a whole Matroska stream is encrypted (`ContentEncKeyID`); MP4 marks each packet instead.
    var isEncrypted: Bool { tag("enc_key_id") != nil }

    private func sideData(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
        var byteCount = 0
        guard let bytes = cffmpeg_stream_side_data(pointer, type, &byteCount) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: byteCount)
    }

    /// Whether Matroska marks an alpha channel in addition to the pictures of VP8 or VP9 (`AlphaMode`).
    var hasHiddenAlpha: Bool { tag("alpha_mode") == "1" }

    private func tag(_ name: String) -> String? {
        av_dict_get(pointer.pointee.metadata, name, nil, 0).map { String(cString: $0.pointee.value) }
    }
}
