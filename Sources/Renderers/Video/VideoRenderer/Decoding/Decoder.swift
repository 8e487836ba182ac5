internal import CFFmpeg
internal import Media

/// Owns an open decoder: an `AVCodecContext`.
final class Decoder {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    /// What the last bad packet failed with: the reason, should no frame come.
    private(set) var lastError: FFmpegError?

    /// How a stream is decoded.
    struct Options {
        var threadCount = 1
        /// Threads that work on different frames delay the first one: only where many frames are decoded.
        var mayDelay = false
        /// Frames are decoded at 1/2ⁿ of their size, where the codec can.
        var shrinkPowers = 0
        /// Leaves out the smoothing of block edges, which nobody sees in a far smaller picture.
        var skipsLoopFilter = false
        /// Reads headers only: sizes and colours become known, no picture is made.
        var headersOnly = false
    }

    /// - Throws: `unsupported` where FFmpeg has no decoder, `tooLarge`, `corrupt`.
    init(for stream: Stream, _ options: Options, limits: Limits) throws(Failure) {
        try Self.check(stream.size, limits)
        do throws(FFmpegError) {
            pointer = try Self.open(stream, options, limits)
        } catch {
            throw error.failure(in: "open decoder")
        }
    }

    /// A decoder of a picture without a container.
    init(for codecID: AVCodecID, limits: Limits) throws(Failure) {
        do throws(FFmpegError) {
            let codec = try Self.codec(codecID, hasHiddenAlpha: false)
            pointer = try Self.open(codec, limits, Options()) { _ in 0 }
        } catch {
            throw error.failure(in: "open decoder")
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&context)
    }

    /// - Throws: `tooLarge`, naming the limit and the setting that raises it.
    static func check(_ size: PixelSize?, _ limits: Limits) throws(Failure) {
        guard let size, UInt64(size.width) * UInt64(size.height) > limits.framePixelCount else { return }
        let limit = limits.framePixelCount
        let text = limit % 1_000_000 == 0 ? "\(limit / 1_000_000) megapixels" : "\(limit) pixels"
        throw Failure(
            .tooLarge, message: "The frame's \(size) pixels exceed the limit of \(text) (see --max-frame-pixels).",
            detail: "\(size) pixels, limit \(limit)")
    }

    private static func codec(_ id: AVCodecID, hasHiddenAlpha: Bool) throws(FFmpegError) -> UnsafePointer<AVCodec> {
        // FFmpeg's own decoders of VP8 and VP9 leave transparency out; libvpx's do not.
        let withAlpha: String? =
            switch id {
            case AV_CODEC_ID_VP8: "libvpx"
            case AV_CODEC_ID_VP9: "libvpx-vp9"
            default: nil
            }
        if hasHiddenAlpha, let withAlpha, let codec = avcodec_find_decoder_by_name(withAlpha) { return codec }
        guard let codec = avcodec_find_decoder(id) else { throw FFmpegError(code: cffmpeg_error_no_decoder) }
        return codec
    }

    private static func open(
        _ stream: Stream, _ options: Options, _ limits: Limits
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
        let codec = try codec(stream.codecID, hasHiddenAlpha: stream.hasHiddenAlpha)
        return try open(codec, limits, options) { context in
            context.pointee.pkt_timebase = stream.pointer.pointee.time_base
            return avcodec_parameters_to_context(context, stream.pointer.pointee.codecpar)
        }
    }

    private static func open(
        _ codec: UnsafePointer<AVCodec>, _ limits: Limits, _ options: Options,
        fill: (UnsafeMutablePointer<AVCodecContext>) -> Int32
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
        var context = avcodec_alloc_context3(codec)
        guard let allocated = context else { throw FFmpegError(code: cffmpeg_error_memory) }
        do throws(FFmpegError) {
            try FFmpegError.check(fill(allocated))
            configure(&allocated.pointee, codec, limits, options)
            try FFmpegError.check(avcodec_open2(allocated, codec, nil))
        } catch {
            avcodec_free_context(&context)
            throw error
        }
        return allocated
    }

    private static func configure(
        _ context: inout AVCodecContext, _ codec: UnsafePointer<AVCodec>, _ limits: Limits, _ options: Options
    ) {
        context.max_pixels = Int64(clamping: limits.framePixelCount)
        context.thread_count = Int32(options.threadCount)
        context.thread_type = options.mayDelay ? FF_THREAD_FRAME | FF_THREAD_SLICE : FF_THREAD_SLICE
        context.lowres = Int32(min(options.shrinkPowers, Int(codec.pointee.max_lowres)))
        // Else columns that the codec's header cuts off at the left stay, for the sake of aligned rows.
        context.flags |= AV_CODEC_FLAG_UNALIGNED
        if options.skipsLoopFilter { context.skip_loop_filter = AVDISCARD_ALL }
        if options.headersOnly { context.skip_frame = AVDISCARD_ALL }
    }
}

extension Decoder {
    /// Gives the decoder a packet, or with `nil` the end of the stream. A damaged packet is the frame's damage, not an end.
    func send(_ packet: Packet?) throws(Failure) {
        let result = avcodec_send_packet(pointer, packet?.pointer)
        if result == cffmpeg_error_memory { throw FFmpegError(code: result).failure(in: "decode") }
        if result < 0, result != cffmpeg_error_again, result != cffmpeg_error_end {
            lastError = FFmpegError(code: result)
        }
    }

    /// A frame that is ready; `nil` where the decoder wants another packet, or has no more.
    func receive() throws(Failure) -> Frame? {
        let frame = try Frame()
        let result = avcodec_receive_frame(pointer, frame.pointer)
        if result >= 0 { return frame }
        if result == cffmpeg_error_memory { throw FFmpegError(code: result).failure(in: "decode") }
        if result != cffmpeg_error_again, result != cffmpeg_error_end { lastError = FFmpegError(code: result) }
        return nil
    }

    /// Whether frames on which no other frame leans are left out: on the way to a later one.
    var skipsUnneeded: Bool {
        get { pointer.pointee.skip_frame == AVDISCARD_NONREF }
        set { pointer.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    /// Forgets all packets; the next one begins anew.
    func flush() { avcodec_flush_buffers(pointer) }
}

extension Decoder {
    /// The frame of a picture that is one packet.
    ///
    /// - Throws: `corrupt` where there is none.
    func onlyFrame(of packet: Packet) throws(Failure) -> Frame {
        try send(packet)
        if let frame = try receive() { return frame }
        try send(nil)
        if let frame = try receive() { return frame }
        throw lastError?.failure(in: "decode") ?? Failure(.corrupt, detail: "no picture: \(FFmpegLog.lastError)")
    }

    /// FFmpeg's name of the decoder.
    var name: String { pointer.pointee.codec.map { String(cString: $0.pointee.name) } ?? "decoder" }

    /// The size as stored, as far as headers were read.
    var size: PixelSize? {
        guard pointer.pointee.width > 0, pointer.pointee.height > 0 else { return nil }
        return PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height))
    }

    /// Frames a second as the codec's own headers say; `nil` where they do not, or give a clock's rate instead.
    var frameRate: Double? {
        let rate = pointer.pointee.framerate
        return FrameRate.sound(rate.num, over: rate.den)
    }

    func colourDescription(of stream: Stream) -> ColourDescription {
        let values = pointer.pointee
        return ColourDescription(
            PixelFormat(values.pix_fmt), values.colorspace, values.color_trc, hasHiddenAlpha: stream.hasHiddenAlpha)
    }
}
