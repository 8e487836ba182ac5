internal import CFFmpeg
internal import Media

/// The still picture formats that this renderer reads, by the reader that they need.
enum StillFormat {
    /// An FFmpeg decoder takes the whole file as one packet, without a demuxer.
    case packet(AVCodecID)
    /// `IconFile`.
    case icon
    /// `PhotoshopFile`.
    case photoshop

    init?(_ mediaType: MediaType) {
        guard let format = Self.formats[mediaType.rawValue] else { return nil }
        self = format
    }

    private static let formats: [String: StillFormat] = [
        "image/bmp": .packet(AV_CODEC_ID_BMP), "image/x-ms-bmp": .packet(AV_CODEC_ID_BMP),
        "image/x-pcx": .packet(AV_CODEC_ID_PCX), "image/vnd.zbrush.pcx": .packet(AV_CODEC_ID_PCX),
        "image/x-sgi": .packet(AV_CODEC_ID_SGI),
        "image/x-dds": .packet(AV_CODEC_ID_DDS), "image/vnd.ms-dds": .packet(AV_CODEC_ID_DDS),
        "image/x-tga": .packet(AV_CODEC_ID_TARGA),
        "image/x-sun-raster": .packet(AV_CODEC_ID_SUNRAST),
        "image/x-exr": .packet(AV_CODEC_ID_EXR),
        "image/vnd.microsoft.icon": .icon, "image/x-icon": .icon, "image/x-win-bitmap": .icon,
        "image/vnd.adobe.photoshop": .photoshop,
    ]
}
