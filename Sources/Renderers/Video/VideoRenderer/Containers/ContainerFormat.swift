internal import CFFmpeg
public import Media

/// A container format that may be opened: one of FFmpeg's demuxers, with the media types that select it.
///
/// No listed demuxer opens further files. Demuxers that do are left out (`hls`, `dash`, `concat`, `image2`, `sdp`,
/// `imf`, `rtsp`, `webm_dash_manifest`, `vobsub`, …), as are devices and several hundred rare formats.
public struct ContainerFormat: Hashable, Sendable {
    /// FFmpeg's name of the demuxer, in the form for its `format_whitelist`.
    public let demuxer: String
    /// The media types, by the sniffer's names, whose files this demuxer opens.
    public let mediaTypes: [String]

    /// The format of a media type; `nil` if FFmpeg must probe the allowed formats.
    public init?(_ mediaType: MediaType) {
        guard let known = Self.all.first(where: { $0.mediaTypes.contains(mediaType.rawValue) }) else { return nil }
        self = known
    }

    private init(_ demuxer: String, _ mediaTypes: String...) {
        self.demuxer = demuxer
        self.mediaTypes = mediaTypes
    }

    /// All formats that may be opened.
    public static let all: [ContainerFormat] = [
        // Video.
        ContainerFormat(
            "mov,mp4,m4a,3gp,3g2,mj2", "video/mp4", "video/quicktime", "video/x-m4v", "video/3gpp", "video/3gpp2",
            "video/mj2",
            "audio/mp4", "audio/x-m4a", "audio/3gpp", "audio/3gpp2"),
        ContainerFormat("matroska,webm", "video/x-matroska", "video/webm", "audio/x-matroska", "audio/webm"),
        ContainerFormat("avi", "video/x-msvideo"),
        ContainerFormat("flv", "video/x-flv"),
        ContainerFormat("asf", "video/x-ms-asf", "video/x-ms-wmv", "audio/x-ms-wma", "application/vnd.ms-asf"),
        ContainerFormat("ogg", "video/ogg", "audio/ogg", "application/ogg"),
        ContainerFormat("mpegts", "video/mp2t"),
        ContainerFormat("mxf", "application/mxf"),
        // `video/mpeg` may be any of the first three, so FFmpeg probes.
        ContainerFormat("mpeg"), ContainerFormat("mpegvideo"), ContainerFormat("m4v"), ContainerFormat("h264"),
        ContainerFormat("hevc"), ContainerFormat("av1"), ContainerFormat("obu"), ContainerFormat("ivf"),
        ContainerFormat("dv"),
        ContainerFormat("mjpeg"), ContainerFormat("vc1"), ContainerFormat("rm"), ContainerFormat("nut"),
        // Audio, for its cover art.
        ContainerFormat("mp3", "audio/mpeg"), ContainerFormat("flac", "audio/flac"),
        ContainerFormat("wav", "audio/x-wav"),
        ContainerFormat("aiff", "audio/x-aiff"), ContainerFormat("aac", "audio/aac"),
        ContainerFormat("ape", "audio/x-ape"),
        ContainerFormat("wv"), ContainerFormat("tta"), ContainerFormat("caf", "audio/x-caf"),
        ContainerFormat("amr", "audio/amr"),
        ContainerFormat("ac3"), ContainerFormat("eac3"), ContainerFormat("dts"), ContainerFormat("mpc"),
        ContainerFormat("mpc8"),
        ContainerFormat("au"), ContainerFormat("w64"), ContainerFormat("dsf"),
    ]

    /// The value of FFmpeg's `format_whitelist`, which refuses all other demuxers.
    public static let allowList = all.map(\.demuxer).joined(separator: ",")
}

extension ContainerFormat {
    /// FFmpeg's description of the demuxer; `nil` if this build of FFmpeg lacks it.
    var pointer: UnsafePointer<AVInputFormat>? { av_find_input_format(demuxer) }
}
