internal import CFFmpeg
internal import Media

/// Owns an open decoder: an `AVCodecContext`.
final class Decoder {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    /// The error of the last bad packet: the reason if no frame is decoded.
    private(set) var lastError: FFmpegError?

    /// The options for decoding a stream.
    struct Options {
        var threadCount = 1
        /// Whether frames may be decoded in parallel, which delays the first frame.
        var mayDelay = false
        /// Decodes at 1/2ⁿ of the size, if the codec can.
        var shrinkPowers = 0
        /// Skips the loop filter, whose effect is invisible in a much smaller picture.
        var skipsLoopFilter = false
        /// Parses only headers: sizes and colours become known, but no picture is decoded.
        var headersOnly = false
    }

    /// Opens a decoder for a stream.
    ///
    /// - Throws: `unsupported` if FFmpeg has no decoder, `tooLarge`, `corrupt`.
    init(for stream: Stream, _ options: Options, limits: Limits) throws(Failure) {
        try Self.check(stream.size, limits)
        do throws(FFmpegError) {
            pointer = try Self.open(stream, options, limits)
        } catch {
            throw error.failure(in: "open decoder")
        }
    }

    /// Opens a decoder for a picture without a container.
    ///
    /// - Throws: `unsupported` if FFmpeg has no decoder, `corrupt`.
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

    /// Checks a frame's size against the limit on pixels.
    ///
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
        // FFmpeg's own VP8 and VP9 decoders ignore the alpha channel; libvpx's decoders decode it.
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
        // Without this flag, FFmpeg keeps cropped columns at the left, to align rows.
        context.flags |= AV_CODEC_FLAG_UNALIGNED
        if options.skipsLoopFilter { context.skip_loop_filter = AVDISCARD_ALL }
        if options.headersOnly { context.skip_frame = AVDISCARD_ALL }
    }
}

extension Decoder {
    /// Sends a packet, or the end of the stream if `nil`. A damaged packet is not a failure: `lastError` keeps its
    /// error.
    ///
    /// - Throws: `tooLarge` if memory is insufficient.
    func send(_ packet: Packet?) throws(Failure) {
        let result = avcodec_send_packet(pointer, packet?.pointer)
        if result == cffmpeg_error_memory { throw FFmpegError(code: result).failure(in: "decode") }
        if result < 0, result != cffmpeg_error_again, result != cffmpeg_error_end {
            lastError = FFmpegError(code: result)
        }
    }

    /// The next decoded frame; `nil` if the decoder needs another packet or is at its end.
    ///
    /// - Throws: `tooLarge` if memory is insufficient.
    func receive() throws(Failure) -> Frame? {
        let frame = try Frame()
        let result = avcodec_receive_frame(pointer, frame.pointer)
        if result >= 0 { return frame }
        if result == cffmpeg_error_memory { throw FFmpegError(code: result).failure(in: "decode") }
        if result != cffmpeg_error_again, result != cffmpeg_error_end { lastError = FFmpegError(code: result) }
        return nil
    }

    /// Whether non-reference frames are skipped, on the way to a later frame.
    var skipsUnneeded: Bool {
        get { pointer.pointee.skip_frame == AVDISCARD_NONREF }
        set { pointer.pointee.skip_frame = newValue ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    /// Drops all sent packets, before decoding continues at another place.
    func flush() { avcodec_flush_buffers(pointer) }
}

extension Decoder {
    /// The frame of a picture in a single packet.
    ///
    /// - Throws: `corrupt` if none is decoded.
    func onlyFrame(of packet: Packet) throws(Failure) -> Frame {
        try send(packet)
        if let frame = try receive() { return frame }
        try send(nil)
        if let frame = try receive() { return frame }
        throw lastError?.failure(in: "decode") ?? Failure(.corrupt, detail: "no picture: \(FFmpegLog.lastError)")
    }

    /// FFmpeg's name of the decoder.
    var name: String { pointer.pointee.codec.map { String(cString: $0.pointee.name) } ?? "decoder" }

    /// The size as stored; `nil` until headers state it.
    var size: PixelSize? {
        guard pointer.pointee.width > 0, pointer.pointee.height > 0 else { return nil }
        return PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height))
    }

    /// Frames per second according to the codec's headers; `nil` if they lack it, or state the rate of a clock.
    var frameRate: Double? {
        let rate = pointer.pointee.framerate
        return FrameRate.sound(rate.num, over: rate.den)
    }

    /// The colours according to the codec's headers.
    func colourDescription(of stream: Stream) -> ColourDescription {
        let values = pointer.pointee
        return ColourDescription(
            PixelFormat(values.pix_fmt), values.colorspace, values.color_trc, hasHiddenAlpha: stream.hasHiddenAlpha)
    }
}
