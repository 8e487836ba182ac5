internal import Media
internal import Rendering

/// Chooses how far a loader shrinks a picture. The picture stays at least as large as wanted.
///
/// A loader that omits frequencies (JPEG) or shows another picture (HEIF's thumbnail) must leave nearly twice the
/// wanted size. On a zone plate a margin of 1 is worse than vipsthumbnail by 0.06 to 0.22 (SSIM). Phone thumbnails,
/// coded for small files, reach 0.90 of a full decode at 240×180. WebP and JPEG 2000 have their own scalers (SSIM 0.98
/// and 0.97 to 0.99), which take a third of the time and memory of a full decode.
struct ShrinkOnLoad {
    let format: ImageFormat
    let header: PictureHeader
    /// The size of the rendition's whole picture, before the orientation is applied.
    let wanted: PixelSize

    /// The option for the loader.
    var shrink: LoadOptions.Shrink {
        switch format.kind {
        case .jpeg: [8, 4, 2].first { Double($0) * Plane.margin <= factor }.map { .jpeg($0) } ?? .none
        case .webp: factor > 1 ? .scale(1 / factor) : .none
        case .svg: factor == 1 ? .none : .scale(Self.drawable.clamp(1 / factor))
        case .jpeg2000: levelCount > 0 ? .levels(levelCount) : .none
        case .heif: factor >= Self.thumbnailFactor ? .thumbnail : .none
        default: .none
        }
    }

    /// How many times the stored picture is larger than wanted, on the side with the smaller factor.
    private var factor: Double {
        min(
            Double(header.storedSize.width) / Double(wanted.width),
            Double(header.storedSize.height) / Double(wanted.height))
    }

    /// JPEG 2000: the number of levels to omit, each of which halves the size; `pageCount` is the number of levels in
    /// the file.
    private var levelCount: Int {
        var count = 0
        while count + 1 < header.pageCount, Double(2 << count) <= factor { count += 1 }
        return count
    }

    /// The factor below which HEIF files have no sufficient thumbnail: it is 320 to 512 pixels long for pictures of
    /// 4,000.
    private static let thumbnailFactor = 4.0

    /// The scales that libvips allows for a drawing.
    private static let drawable = 0.001...100_000

    /// Whether a thumbnail can replace the whole picture: large enough by the margin, and of the same shape within one
    /// percent or one pixel. Some HEIF thumbnails have black borders; some are not turned.
    func accepts(_ loaded: PixelSize) -> Bool {
        guard Double(loaded.width) >= Plane.margin * Double(wanted.width),
            Double(loaded.height) >= Plane.margin * Double(wanted.height)
        else { return false }
        let stored = header.storedSize
        let expected = Double(loaded.width) * Double(stored.height) / Double(stored.width)
        return abs(expected - Double(loaded.height)) <= max(1, 0.01 * expected)
    }
}

extension ClosedRange {
    fileprivate func clamp(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
