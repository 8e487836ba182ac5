internal import CFFmpeg

/// The storage format of a frame's pixels, as libavutil describes it.
struct PixelFormat: Equatable {
    let value: AVPixelFormat

    init(_ value: AVPixelFormat) { self.value = value }

    /// FFmpeg's name, such as `yuv420p`.
    var name: String { av_get_pix_fmt_name(value).map { String(cString: $0) } ?? "unknown" }

    /// Whether the decoder has set a format.
    var isKnown: Bool { value != AV_PIX_FMT_NONE }

    private var descriptor: AVPixFmtDescriptor? { av_pix_fmt_desc_get(value)?.pointee }

    private func has(_ flag: Int32) -> Bool { (descriptor?.flags ?? 0) & UInt64(flag) != 0 }

    /// Whether pixels can be transparent, as the colours of a palette can.
    var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) }

    /// Whether samples are red, green and blue, or indices into a palette of them, as opposed to luma and colour
    /// differences.
    var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_PAL) }

    /// The bits of luma samples that have their own plane, in one byte or in two little-endian bytes; `nil` for other
    /// formats.
    var lumaDepth: Int? {
        guard let descriptor, !isRGB, !has(AV_PIX_FMT_FLAG_BE) else { return nil }
        let first = descriptor.comp.0
        let isAlone = first.plane == 0 && first.step == (first.depth > 8 ? 2 : 1) && first.shift == 0
        return isAlone && (8...16).contains(first.depth) ? Int(first.depth) : nil
    }

    /// Whether samples are floating-point numbers.
    var isFloat: Bool { has(AV_PIX_FMT_FLAG_FLOAT) }

    /// The bits of the first component.
    var depth: Int { Int(descriptor?.comp.0.depth ?? 8) }

    /// Whether samples are only luma, or luma with alpha.
    var isGray: Bool { (descriptor?.nb_components ?? 0) < 3 && !isRGB }

    /// Whether this is one of the deprecated formats `yuvj…`, which imply full range.
    var isFullRange: Bool {
        [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
            .contains(value)
    }
}
