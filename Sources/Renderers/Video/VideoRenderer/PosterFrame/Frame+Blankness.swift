internal import CFFmpeg
internal import Media

extension Frame {
    /// Whether the frame is black, white or one colour throughout, or only starts to fade in.
    ///
    /// It samples the decoder's own components (luma and colour differences, or red, green and blue) on a grid. It
    /// ignores the smallest and the largest 0.5 % of each as noise and dead pixels; a title takes more. In 117 real
    /// videos, all first frames under the thresholds are black or white throughout, and the flattest first frame above
    /// them spans 27 % of luma.
    var isBlank: Bool {
        guard let components = samples() else { return false }
        let spans = components.map(Self.span)
        if spans.allSatisfy({ $0 < Self.leastSpan }) { return true }
        let brightness = components[0].reduce(0, +) / Double(components[0].count)
        return brightness < Self.darkest && spans.allSatisfy { $0 < Self.leastSpanInTheDark }
    }

    /// The span between the darkest and the brightest parts, 0...1.
    var contrast: Double { samples().map { Self.span($0[0]) } ?? 0 }

    /// The least span of a component with visible content, as a fraction of its range.
    private static let leastSpan = 0.1
    /// The least span in a picture that is nearly black overall, such as the beginning of a fade.
    private static let leastSpanInTheDark = 0.2
    private static let darkest = 0.14

    private static let across = 64
    private static let down = 36

    /// The distance between the smallest and the largest value, without 0.5 % at each end.
    private static func span(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let aside = sorted.count / 200
        return sorted[sorted.count - 1 - aside] - sorted[aside]
    }

    /// The first three components at the points of the grid, each 0...1; `nil` for a format without samples in memory.
    private func samples() -> [[Double]]? {
        let format = AVPixelFormat(pointer.pointee.format)
        guard let descriptor = av_pix_fmt_desc_get(format), size.width > 0, size.height > 0,
            descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else { return nil }
        return (0..<min(3, Int32(descriptor.pointee.nb_components))).map { component in
            samples(of: component, descriptor)
        }
    }

    private func samples(of component: Int32, _ descriptor: UnsafePointer<AVPixFmtDescriptor>) -> [Double] {
        let depths = descriptor.pointee.comp
        let depth = [depths.0, depths.1, depths.2, depths.3][Int(component)].depth
        let isColour = component > 0 && descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
        let shiftX = isColour ? Int(descriptor.pointee.log2_chroma_w) : 0
        let shiftY = isColour ? Int(descriptor.pointee.log2_chroma_h) : 0
        // `cffmpeg_component` reads the colours of a palette, of 8 bits each.
        let isPalette = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
        let largest = Double(isPalette ? 255 : (1 << depth) - 1)
        var values: [Double] = []
        for row in 0..<Self.down {
            for column in 0..<Self.across {
                let x = (2 * column + 1) * size.width / (2 * Self.across)
                let y = (2 * row + 1) * size.height / (2 * Self.down)
                let value = cffmpeg_component(
                    pointer, descriptor, Int32(x >> shiftX), Int32(y >> shiftY), component, isPalette ? 1 : 0)
                values.append(Double(value) / largest)
            }
        }
        return values
    }
}
