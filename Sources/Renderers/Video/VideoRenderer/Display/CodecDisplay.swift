internal import CFFmpeg

/// How a codec says that its pictures are shown.
struct CodecDisplay {
    /// A pixel's width to its height; 0 where the codec does not say.
    private(set) var pixelShape = AVRational(num: 0, den: 1)
    /// The turn; `nil` where the codec does not say.
    private(set) var matrix: DisplayMatrix?
    /// Whether a picture is one field, half as high as what is shown.
    private(set) var isLoneField = false

    /// Where nothing has been decoded yet.
    static let unknown = CodecDisplay()

    private init() {}

    init(of frame: Frame) {
        pixelShape = frame.pointer.pointee.sample_aspect_ratio
        matrix = frame.displayMatrix
        isLoneField = frame.isLoneField
    }

    /// What its headers say, with the first packet.
    init(of decoder: Decoder, _ packet: Packet?) {
        pixelShape = decoder.pointer.pointee.sample_aspect_ratio
        isLoneField = packet.map { Self.isLoneField($0, decoder) } ?? false
    }

    /// Whether a packet is one field of HEVC, as its SEI message on timing tells (ITU-T H.265, table D.2).
    private static func isLoneField(_ packet: Packet, _ decoder: Decoder) -> Bool {
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
