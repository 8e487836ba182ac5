internal import CFFmpeg
package import Media

/// Still pictures that only FFmpeg reads here. Each file is one packet for its decoder: no demuxer is involved.
package enum StillFormat: CaseIterable {
    case bmp
    case pcx
    case sgi
    case dds
    case targa
    case sunRaster
    case photoshop

    package init?(_ mediaType: MediaType) {
        guard let format = Self.allCases.first(where: { $0.mediaTypes.contains(mediaType.rawValue) }) else {
            return nil
        }
        self = format
    }

    private var mediaTypes: [String] {
        switch self {
        case .bmp: ["image/bmp", "image/x-ms-bmp"]
        case .pcx: ["image/x-pcx", "image/vnd.zbrush.pcx"]
        case .sgi: ["image/x-sgi"]
        case .dds: ["image/x-dds", "image/vnd.ms-dds"]
        case .targa: ["image/x-tga"]
        case .sunRaster: ["image/x-sun-raster"]
        case .photoshop: ["image/vnd.adobe.photoshop"]
        }
    }

    var codecID: AVCodecID {
        switch self {
        case .bmp: AV_CODEC_ID_BMP
        case .pcx: AV_CODEC_ID_PCX
        case .sgi: AV_CODEC_ID_SGI
        case .dds: AV_CODEC_ID_DDS
        case .targa: AV_CODEC_ID_TARGA
        case .sunRaster: AV_CODEC_ID_SUNRAST
        case .photoshop: AV_CODEC_ID_PSD
        }
    }
}
