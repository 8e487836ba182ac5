internal import CFFmpeg
public import Media

/// The containers that are opened, and nothing else: each of FFmpeg's demuxers that a file may meet, with the media types
/// that lead to it.
///
/// None of them opens further files. Left out on purpose are those that do (`hls`, `dash`, `concat`, `image2`, `sdp`, `imf`,
/// `rtsp`, `webm_dash_manifest`, `vobsub`, …), devices, and several hundred that nobody sends.
public struct ContainerFormat: Hashable, Sendable {
    /// FFmpeg's name, as it stands in its allow list.
    public let demuxer: String
    /// The media types, as the sniffer tells them, whose files this demuxer opens.
    public let mediaTypes: [String]

    /// The container of a media type; `nil` where FFmpeg has to look among the allowed ones.
    public init?(_ mediaType: MediaType) {
        guard let known = Self.all.first(where: { $0.mediaTypes.contains(mediaType.rawValue) }) else { return nil }
        self = known
    }

    private init(_ demuxer: String, _ mediaTypes: String...) {
        self.demuxer = demuxer
        self.mediaTypes = mediaTypes
    }

    public static let all: [ContainerFormat] = [
        // Moving pictures.
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
        // `video/mpeg` names three of these, so FFmpeg looks.
        ContainerFormat("mpeg"), ContainerFormat("mpegvideo"), ContainerFormat("m4v"), ContainerFormat("h264"),
        ContainerFormat("hevc"), ContainerFormat("av1"), ContainerFormat("obu"), ContainerFormat("ivf"),
        ContainerFormat("dv"),
        ContainerFormat("mjpeg"), ContainerFormat("vc1"), ContainerFormat("rm"), ContainerFormat("nut"),
        // Sound, for its cover art.
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

    /// All names as FFmpeg takes them: it refuses every other demuxer, whoever chose it.
    public static let allowList = all.map(\.demuxer).joined(separator: ",")
}

extension ContainerFormat {
    /// FFmpeg's description of the demuxer; `nil` where this build of FFmpeg lacks it.
    var pointer: UnsafePointer<AVInputFormat>? { av_find_input_format(demuxer) }
}
