internal import CFFmpeg

/// FFmpeg as a whole: its log, its versions, and what of it is warmed before a file comes.
enum FFmpegLibrary {
    /// Takes the log over and warms. FFmpeg 5 needs no initialisation of its own.
    static func start() {
        FFmpegLog.install()
        warm()
    }

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

    /// Opens and closes the decoder that most files need, so that its tables are built once, before any fork.
    private static func warm() {
        guard let codec = avcodec_find_decoder(AV_CODEC_ID_H264) else { return }
        var context = avcodec_alloc_context3(codec)
        // A fork would not copy further threads.
        context?.pointee.thread_count = 1
        avcodec_open2(context, codec, nil)
        avcodec_free_context(&context)
    }
}
