/// What to make of a source: one rendition's box, fit, page or time, format and quality.
///
/// Two recipes that are equal make the same rendition, so their `name` is a key in the cache.
public struct Recipe: Hashable, Sendable {
    public var box: Box
    public var fit: Fit
    /// Whether a picture smaller than the box may grow; otherwise it never does.
    public var enlarge: Bool
    public var format: Format
    /// 1...100, as libjpeg and libwebp count; PNG has none.
    public var quality: Int
    /// What shows through where a format has no transparency, and what pads `contain`.
    public var background: Colour
    /// The page from 0; only pages have one.
    public var pageIndex: Int
    public var time: TimePosition
    /// Whether a source without a preview gets its file-type icon; otherwise it fails as `unsupported`.
    public var allowsIcon: Bool

    public init(
        box: Box, fit: Fit, enlarge: Bool = false, format: Format = .automatic, quality: Int = 80,
        background: Colour = .white, pageIndex: Int = 0, time: TimePosition = .poster, allowsIcon: Bool = true
    ) {
        self.box = box
        self.fit = fit
        self.enlarge = enlarge
        self.format = format
        self.quality = quality
        self.background = background
        self.pageIndex = pageIndex
        self.time = time
        self.allowsIcon = allowsIcon
    }

    /// The format asked for.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// JPEG, or PNG where the rendition has transparency.
        case automatic = "auto"
        case jpeg
        case webp
        case png
    }
}

/// The recipes with names, sized for the app's screens.
public enum Preset: String, Hashable, Sendable, CaseIterable {
    /// A list row of 80 × 60 points.
    case list
    /// A 16:9 card.
    case grid
    /// The detail page: 1600 on the long edge, never enlarged.
    case preview

    public var recipe: Recipe {
        switch self {
        case .list: Recipe(box: Box(width: 240, height: 180)!, fit: .cover)
        case .grid: Recipe(box: Box(width: 640, height: 360)!, fit: .cover)
        case .preview: Recipe(box: Box(width: 1600, height: 1600)!, fit: .inside)
        }
    }
}

extension Recipe {
    /// The canonical form: every property in a fixed order. A change of what a recipe *means* changes the leading version.
    public var canonical: String {
        [
            "1", box.description, fit.rawValue, enlarge ? "enlarge" : "shrink", format.rawValue,
            format == .png ? "q-" : "q\(quality)", background.hex, "p\(pageIndex)", time.description,
            allowsIcon ? "icon" : "noicon",
        ].joined(separator: " ")
    }

    /// The recipe's name in the cache: readable, with a short digest (FNV-1a) of the canonical form; `[a-z0-9-]` only.
    public var name: String {
        "\(readableName)-\(Hex.string(withUnsafeBytes(of: shortDigest.bigEndian, Array.init)))"
    }

    /// The preset with these very values apart from page and time, or the values spelt out; with page or time in front.
    public var readableName: String {
        var plain = self
        plain.pageIndex = 0
        plain.time = .poster
        plain.allowsIcon = true
        var parts: [String] = []
        if pageIndex > 0 { parts.append("p\(pageIndex + 1)") }
        if time != .poster { parts.append("t\(time)") }
        if let preset = Preset.allCases.first(where: { $0.recipe == plain }) {
            parts.append(preset.rawValue)
        } else {
            parts += [box.description, fit.rawValue]
            if format != .automatic { parts.append(format.rawValue) }
            if format != .png { parts.append("q\(quality)") }
        }
        return parts.joined(separator: "-")
    }

    /// The preset that this recipe is, if it is one to the letter.
    public var preset: Preset? { Preset.allCases.first { $0.recipe == self } }

    /// 32 bits of FNV-1a over the canonical form: it keeps recipes apart whose readable names are equal.
    private var shortDigest: UInt32 {
        canonical.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
