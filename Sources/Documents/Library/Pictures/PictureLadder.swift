public import Media

/// The widths of pictures for clients that name a width: rounded up, so that the cache stays bounded.
public enum PictureLadder {
    /// The steps, in pixels.
    public static let widths = [320, 480, 640, 960, 1280, 1600, 2048, 2560, 3200, 4096, 5120, 6400, 8192]

    /// The smallest step that is at least as large, or else the largest one.
    public static func step(atLeast side: Int) -> Int { widths.first { $0 >= side } ?? widths.last! }
}

extension Recipe {
    /// The thumbnails of a document, the smallest first: the presets, and a card of 960 × 540 for screens with more
    /// pixels.
    private static let thumbnails = [
        Preset.list.recipe, Preset.grid.recipe, Recipe(box: Box(width: 960, height: 540)!, fit: .cover),
        Preset.preview.recipe,
    ]

    /// The smallest thumbnail that is at least as large as a box, or else the largest one, so that a document has few.
    ///
    /// - Parameters:
    ///   - width: in pixels; 0 for any.
    ///   - height: in pixels; 0 for any.
    public static func thumbnail(atLeast width: Int, _ height: Int) -> Recipe {
        thumbnails.first { thumbnail in
            let size = thumbnail.box.bounds
            return size.width >= width && size.height >= height
        } ?? thumbnails.last!
    }
}

extension TimePosition {
    /// The whole second, or the whole percent, that contains the moment: a video has few of these.
    public var step: TimePosition {
        switch self {
        case .poster: .poster
        case .milliseconds(let count): .milliseconds(count / 1000 * 1000)
        case .permille(let count): .permille(count / 10 * 10)
        }
    }
}
