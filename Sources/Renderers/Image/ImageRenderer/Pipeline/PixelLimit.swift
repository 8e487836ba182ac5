internal import Media

/// The limit on pixels that applies to a picture. Pictures decoded row by row may be larger than pictures held whole in
/// memory.
enum PixelLimit {
    case streamed
    case whole
    /// Drawings have no pixels before they are drawn, at the size of the rendition.
    case none

    init(for format: ImageFormat, isInterlaced: Bool) {
        self =
            switch format.kind {
            case .jpeg, .tiff, .portableAnymap, .radiance: .streamed
            case .png: isInterlaced ? .whole : .streamed
            case .gif, .webp, .heif, .jpeg2000, .jpegXL: .whole
            case .svg: .none
            }
    }

    /// - Throws: `tooLarge`, naming the limit and the setting that raises it.
    func check(_ size: PixelSize, against limits: Limits) throws(Failure) {
        switch self {
        case .streamed: try check(size, limits.streamedPixelCount, setting: "--max-pixels")
        case .whole: try check(size, limits.wholePixelCount, setting: "--max-whole-pixels")
        case .none: break
        }
    }

    private func check(_ size: PixelSize, _ limit: UInt64, setting: String) throws(Failure) {
        let (count, overflows) = UInt64(size.width).multipliedReportingOverflow(by: UInt64(size.height))
        guard overflows || count > limit else { return }
        throw Failure(
            .tooLarge,
            message: "The picture's \(size) pixels exceed the limit of \(Self.megapixels(limit)) (see \(setting)).",
            detail: "\(size) pixels, limit \(limit)")
    }

    private static func megapixels(_ count: UInt64) -> String {
        count % 1_000_000 == 0 ? "\(count / 1_000_000) megapixels" : "\(count) pixels"
    }
}
