internal import CFFmpeg

/// The way in which a codec asks to show its pictures.
struct CodecDisplay {
    /// The pixel aspect ratio; 0 if the codec does not state it.
    private(set) var pixelAspectRatio = AVRational(num: 0, den: 1)
    /// The rotation; `nil` if the codec does not state it.
    private(set) var matrix: DisplayMatrix?
    /// Whether a picture is a single field, half as high as the shown picture.
    private(set) var isSingleField = false

    /// The value for a codec from which nothing has been decoded.
    static let unknown = CodecDisplay()

    private init() {}

    /// The display that a decoded frame states.
    init(of frame: Frame) {
        pixelAspectRatio = frame.pointer.pointee.sample_aspect_ratio
        matrix = frame.displayMatrix
        isSingleField = frame.isSingleField
    }

    /// The display that the codec's headers and the first packet state.
    init(of decoder: Decoder, _ packet: Packet?) {
        pixelAspectRatio = decoder.pointer.pointee.sample_aspect_ratio
        isSingleField = packet.map { Self.isSingleField($0, decoder) } ?? false
    }

    /// Whether a packet is a single field of HEVC, according to its picture timing SEI message (ITU-T H.265, table
    /// D.2).
    private static func isSingleField(_ packet: Packet, _ decoder: Decoder) -> Bool {
        let codecID = decoder.pointer.pointee.codec_id
        guard codecID == AV_CODEC_ID_HEVC, let parser = av_parser_init(Int32(codecID.rawValue)) else { return false }
        defer { av_parser_close(parser) }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        var (bytes, byteCount): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
        av_parser_parse2(
            parser, decoder.pointer, &bytes, &byteCount, packet.pointer.pointee.data, packet.pointer.pointee.size,
            cffmpeg_no_time, cffmpeg_no_time, 0)
        let structure = parser.pointee.picture_structure
        return structure == AV_PICTURE_STRUCTURE_TOP_FIELD || structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD
    }
}
