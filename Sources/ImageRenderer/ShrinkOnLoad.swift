internal import Media

/// Chooses how small a loader may make a picture, so that it is still at least as large as wanted.
///
/// JPEG is shrunk as far as the wanted size allows (margin 1). Over 15 photographs of 0.2 to 24 megapixels, compared with
/// a full decode and Lanczos, that gives a mean SSIM of 0.994 at 240×180 (least 0.968), 0.995 at 640×360 (0.979) and
/// 0.997 at 1600 (0.980), in half the time; a margin of 2, as vipsthumbnail keeps, gives 0.997, 0.998 and 1.000 and
/// takes 20 to 100 % longer. WebP and JPEG 2000 are shrunk by their own scalers (SSIM 0.98 and 0.97 to 0.99), which takes
/// a third of the time and memory of a full decode.
struct ShrinkOnLoad {
    let format: ImageFormat
    let header: PictureHeader
    /// The size that the picture will have, not turned yet.
    let wanted: PixelSize

    /// What to ask of the loader.
    var shrink: LoadOptions.Shrink {
        switch format.kind {
        case .jpeg: [8, 4, 2].first { Double($0) <= factor }.map { .jpeg($0) } ?? .none
        case .webp: factor > 1 ? .scale(1 / factor) : .none
        case .svg: factor == 1 ? .none : .scale(Self.drawable.clamp(1 / factor))
        case .jpeg2000: levelCount > 0 ? .levels(levelCount) : .none
        case .heif: factor >= Self.thumbnailFactor ? .thumbnail : .none
        default: .none
        }
    }

    /// How many times the stored picture is larger than wanted, on the side where it is less so.
    private var factor: Double {
        min(
            Double(header.storedSize.width) / Double(wanted.width),
            Double(header.storedSize.height) / Double(wanted.height))
    }

    /// JPEG 2000: each level halves; the file has as many as its header says.
    private var levelCount: Int {
        var count = 0
        while count + 1 < header.pageCount, Double(2 << count) <= factor { count += 1 }
        return count
    }

    /// Thumbnails in HEIF files are 320 to 512 pixels long beside pictures of 4,000; below this nobody has one.
    private static let thumbnailFactor = 4.0

    /// The factors by which libvips lets a drawing be scaled.
    private static let drawable = 0.001...100_000

    /// Whether a loaded picture can stand for the whole one: large enough, and of the same shape to one percent or one
    /// pixel. A HEIF thumbnail may be neither (some have black borders, some are not turned).
    func accepts(_ loaded: PixelSize) -> Bool {
        guard loaded.width >= wanted.width, loaded.height >= wanted.height else { return false }
        let stored = header.storedSize
        let expected = Double(loaded.width) * Double(stored.height) / Double(stored.width)
        return abs(expected - Double(loaded.height)) <= max(1, 0.01 * expected)
    }
}

extension ClosedRange {
    fileprivate func clamp(_ value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
