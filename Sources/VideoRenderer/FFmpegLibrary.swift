internal import CFFmpeg
internal import Media

/// FFmpeg as a whole: its log, its versions, and what of it is warmed before a file comes.
enum FFmpegLibrary {
    /// Takes the log over. FFmpeg 5 needs no initialisation beyond that.
    static func start() { FFmpegLog.install() }

    /// The libraries at run time, which an upgrade of the system changes without a new build.
    static var versions: [String] {
        [
            "FFmpeg \(String(cString: av_version_info()))",
            "libavformat \(text(avformat_version()))", "libavcodec \(text(avcodec_version()))",
            "libswscale \(text(swscale_version()))",
        ]
    }

    private static func text(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }

    /// Opens and closes the decoder that a container most probably needs: its tables are built once, before the fork.
    static func warm(for mediaType: MediaType) {
        guard mediaType.kind == .video, let codec = avcodec_find_decoder(AV_CODEC_ID_H264) else { return }
        var context = avcodec_alloc_context3(codec)
        // One thread: a fork would not copy others.
        context?.pointee.thread_count = 1
        avcodec_open2(context, codec, nil)
        avcodec_free_context(&context)
    }
}
