internal import CFFmpeg

/// How a frame's pixels are stored, as libavutil describes it.
struct PixelFormat: Equatable {
    let value: AVPixelFormat

    init(_ value: AVPixelFormat) { self.value = value }

    /// FFmpeg's name of it: `yuv420p`.
    var name: String { av_get_pix_fmt_name(value).map { String(cString: $0) } ?? "unknown" }

    var isKnown: Bool { value != AV_PIX_FMT_NONE }

    private var descriptor: AVPixFmtDescriptor? { av_pix_fmt_desc_get(value)?.pointee }

    private func has(_ flag: Int32) -> Bool { (descriptor?.flags ?? 0) & UInt64(flag) != 0 }

    /// Whether pixels can be transparent. A palette's colours can.
    var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) }

    /// Whether it is red, green and blue (a palette of them too) and not brightness and colour difference.
    var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_PAL) }

    /// Bits of a brightness that is a plane of its own, in one byte or in two, the lower first; `nil` for every other.
    var brightnessDepth: Int? {
        guard let descriptor, !isRGB, !has(AV_PIX_FMT_FLAG_BE) else { return nil }
        let first = descriptor.comp.0
        let isAlone = first.plane == 0 && first.step == (first.depth > 8 ? 2 : 1) && first.shift == 0
        return isAlone && (8...16).contains(first.depth) ? Int(first.depth) : nil
    }

    /// Whether its numbers are floating-point ones.
    var isFloat: Bool { has(AV_PIX_FMT_FLAG_FLOAT) }

    /// Bits of the first component.
    var depth: Int { Int(descriptor?.comp.0.depth ?? 8) }

    var isGray: Bool { (descriptor?.nb_components ?? 0) < 3 && !isRGB }

    /// The old formats `yuvj…`, which mean full range by their name.
    var isFullRange: Bool {
        [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
            .contains(value)
    }

    /// By how many powers of two colour is coarser than brightness.
    var chromaShift: (across: Int, down: Int) {
        descriptor.map { (Int($0.log2_chroma_w), Int($0.log2_chroma_h)) } ?? (0, 0)
    }
}
