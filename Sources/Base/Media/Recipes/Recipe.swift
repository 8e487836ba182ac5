/// How to make one rendition of a source: box, fit, page or time, format and quality.
///
/// Equal recipes make the same rendition, so a recipe's `name` is a key in the cache.
public struct Recipe: Hashable, Sendable {
    /// The bounds of the rendition's size.
    public var box: Box
    /// How the picture fills the box.
    public var fit: Fit
    /// Whether a picture that is smaller than the box is enlarged.
    public var enlarge: Bool
    /// The file format of the rendition.
    public var format: Format
    /// The quality of JPEG and WebP, 1...100; PNG has none.
    public var quality: Int
    /// The colour behind transparent pixels in a format without transparency, and the padding of `contain`.
    public var background: Colour
    /// The page to show; sources without pages ignore it.
    public var pageIndex: Int
    /// The time of a video's frame; other sources ignore it.
    public var time: TimePosition
    /// Whether a source without a preview gets its file-type icon; otherwise it fails as `unsupported`.
    public var allowsIcon: Bool

    /// A recipe with the defaults of `compass thumb`.
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

    /// The requested format.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// JPEG, or PNG if the rendition has transparency.
        case automatic = "auto"
        case jpeg
        case webp
        case png
    }
}

/// A recipe with a name.
public enum Preset: String, Hashable, Sendable, CaseIterable {
    /// A list row of 80 × 60 points.
    case list
    /// A 16:9 card.
    case grid
    /// The detail page: 1600 on the long edge, never enlarged.
    case preview

    /// The recipe that the preset's name means.
    public var recipe: Recipe {
        switch self {
        case .list: Recipe(box: Box(width: 240, height: 180)!, fit: .cover)
        case .grid: Recipe(box: Box(width: 640, height: 360)!, fit: .cover)
        case .preview: Recipe(box: Box(width: 1600, height: 1600)!, fit: .inside)
        }
    }
}

extension Recipe {
    /// The canonical form: every property in a fixed order, after a version that changes with the meaning of recipes.
    public var canonical: String {
        [
            "1", box.description, fit.rawValue, enlarge ? "enlarge" : "shrink", format.rawValue,
            format == .png ? "q-" : "q\(quality)", background.hex, "p\(pageIndex)", time.description,
            allowsIcon ? "icon" : "noicon",
        ].joined(separator: " ")
    }

    /// The recipe's name in the cache: readable, with a short digest (FNV-1a) of the canonical form; `[a-z0-9-]` only.
    public var name: String {
        "\(readableName)\(Self.ending(of: canonical))"
    }

    /// Whether a recipe with this canonical form can have this name: it ends with the form's digest.
    package static func isName(_ name: some StringProtocol, ofCanonical canonical: String) -> Bool {
        name.hasSuffix(ending(of: canonical))
    }

    /// The name of the preset with the same values, or else the values, after page and time, which presets lack.
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

    /// The preset that equals this recipe; `nil` for other recipes.
    public var preset: Preset? { Preset.allCases.first { $0.recipe == self } }

    /// 32 bits of FNV-1a over a canonical form: they distinguish recipes with equal readable names.
    private static func ending(of canonical: String) -> String {
        let digest = canonical.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "-" + Hex.string(withUnsafeBytes(of: digest.bigEndian, Array.init))
    }
}
