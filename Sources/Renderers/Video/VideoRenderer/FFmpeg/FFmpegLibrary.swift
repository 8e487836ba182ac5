internal import CFFmpeg

/// FFmpeg's process-wide state.
enum FFmpegLibrary {
    /// Takes over the log and builds the tables of the most common decoder. FFmpeg 5 needs no further initialisation.
    static func start() {
        FFmpegLog.install()
        warm()
    }

    /// The versions of the installed libraries, which a system upgrade changes without a new build.
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

    /// Opens and closes the H.264 decoder, so that its tables are built once and every fork inherits them.
    private static func warm() {
        guard let codec = avcodec_find_decoder(AV_CODEC_ID_H264) else { return }
        var context = avcodec_alloc_context3(codec)
        // A fork does not copy additional threads.
        context?.pointee.thread_count = 1
        avcodec_open2(context, codec, nil)
        avcodec_free_context(&context)
    }
}
