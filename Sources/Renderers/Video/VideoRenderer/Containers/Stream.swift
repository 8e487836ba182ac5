internal import CFFmpeg
internal import Media

/// One stream of a container, and what the container's header says of it. Valid for as long as its container lives.
struct Stream {
    let pointer: UnsafeMutablePointer<AVStream>

    init(_ pointer: UnsafeMutablePointer<AVStream>) { self.pointer = pointer }

    var index: Int { Int(pointer.pointee.index) }

    /// The container's own number for it: in MP4 the track's.
    var number: Int { Int(pointer.pointee.id) }

    /// What the container's header says of the codec's pictures.
    var parameters: AVCodecParameters { pointer.pointee.codecpar.pointee }

    var codecID: AVCodecID { parameters.codec_id }

    /// FFmpeg's short name of the codec: `h264`, `hevc`, `av1`, `aac`; `nil` where it is not known.
    var codecName: String? {
        codecID == AV_CODEC_ID_NONE ? nil : String(cString: avcodec_get_name(codecID))
    }

    var isPicture: Bool { parameters.codec_type == AVMEDIA_TYPE_VIDEO }

    var isSound: Bool { parameters.codec_type == AVMEDIA_TYPE_AUDIO }

    /// A cover or another still picture beside the sound, which comes as one packet with the header.
    var isCover: Bool { isPicture && has(AV_DISPOSITION_ATTACHED_PIC) }

    /// A moving picture that is there to be watched.
    var isMovingPicture: Bool { isPicture && !isCover && !has(AV_DISPOSITION_TIMED_THUMBNAILS) }

    var isDefault: Bool { has(AV_DISPOSITION_DEFAULT) }

    private func has(_ flag: Int32) -> Bool { pointer.pointee.disposition & flag != 0 }

    /// The size as stored; `nil` where the container's header does not say.
    var size: PixelSize? {
        guard parameters.width > 0, parameters.height > 0 else { return nil }
        return PixelSize(width: Int(parameters.width), height: Int(parameters.height))
    }

    /// Whether a decoder can be opened without reading on.
    var isKnown: Bool { codecID != AV_CODEC_ID_NONE && size != nil }

    var timeBase: TimeBase { TimeBase(pointer.pointee.time_base.num, over: pointer.pointee.time_base.den) }

    /// When the first frame is shown; `nil` where it is not known.
    var startTime: StreamTime? { StreamTime(pointer.pointee.start_time) }

    /// How long it lasts, in seconds; `nil` where it is not known.
    var duration: Double? { StreamTime(pointer.pointee.duration).flatMap { $0 > .zero ? timeBase.seconds($0) : nil } }

    /// Frames a second, on average where the container says so.
    var frameRate: Double? {
        let rates = [pointer.pointee.avg_frame_rate, pointer.pointee.r_frame_rate]
        return rates.first { $0.num > 0 && $0.den > 0 }.map { Double($0.num) / Double($0.den) }
    }

    /// A pixel's width to its height; 0 where the container does not say.
    var pixelShape: AVRational {
        let own = pointer.pointee.sample_aspect_ratio
        return own.num > 0 ? own : parameters.sample_aspect_ratio
    }

    /// Whether the codec has decoders of pictures at 1/2, 1/4 and 1/8 of their size that are worth using.
    var canDecodeSmaller: Bool { codecID == AV_CODEC_ID_MJPEG || codecID == AV_CODEC_ID_MPEG2VIDEO }

    /// The packet of a cover, which came with the header.
    func coverPacket() throws(Failure) -> Packet {
        guard pointer.pointee.attached_pic.size > 0 else { throw Failure(.corrupt, detail: "the cover is empty") }
        return try Packet(sharing: &pointer.pointee.attached_pic)
    }

    /// Reads none of the stream's packets.
    func switchOff() { pointer.pointee.discard = AVDISCARD_ALL }

    var displayMatrix: DisplayMatrix? { sideData(AV_PKT_DATA_DISPLAYMATRIX).flatMap(DisplayMatrix.init) }

    /// Whether all of a Matroska stream is encrypted (`ContentEncKeyID`); MP4 tells it of each packet.
    var isEncrypted: Bool { tag("enc_key_id") != nil }

    private func sideData(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
        var byteCount = 0
        guard let bytes = cffmpeg_stream_side_data(pointer, type, &byteCount) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: byteCount)
    }

    /// Matroska's mark of a second, hidden stream of transparency beside VP8 and VP9 (`AlphaMode`).
    var hasHiddenAlpha: Bool { tag("alpha_mode") == "1" }

    private func tag(_ name: String) -> String? {
        av_dict_get(pointer.pointee.metadata, name, nil, 0).map { String(cString: $0.pointee.value) }
    }
}
