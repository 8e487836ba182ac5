internal import Media

/// Chooses how small a loader may make a picture, so that it is still at least as large as wanted.
enum ShrinkOnLoad {
    /// - Parameters:
    ///   - stored: the picture's size in the file.
    ///   - wanted: the size that it will have, not turned yet.
    static func shrink(of format: ImageFormat, from stored: PixelSize, to wanted: PixelSize) -> LoadOptions.Shrink {
        let across = Double(stored.width) / Double(wanted.width)
        let down = Double(stored.height) / Double(wanted.height)
        let factor = min(across, down)
        switch format.kind {
        case .jpeg: return jpeg(factor)
        case .svg: return factor == 1 ? .none : .scale(1 / factor)
        default: return .none
        }
    }

    private static func jpeg(_ factor: Double) -> LoadOptions.Shrink {
        guard let shrink = [8, 4, 2].first(where: { Double($0) * jpegMargin <= factor }) else { return .none }
        return .jpeg(shrink)
    }

    private static let jpegMargin = 1.0
}
