internal import ArgumentParser
package import Media

/// The flags that say which renditions to make. For a flag that is not given (`nil`), the recipe's own value applies.
package struct RecipeOptions: FlagTable, Equatable {
    private var presets: [Preset] = []
    private var size: Box?
    private var fit: Fit?
    private var enlarges = false
    private var format: Recipe.Format?
    private var quality: Int?
    /// From 1.
    private var page: Int?
    private var time: TimePosition?
    private var background: Colour?
    private var refusesIcons = false

    /// No flag given: the preset `grid`.
    package init() {}

    /// The flags under “What to make”.
    package static let flags: [CommandFlag<RecipeOptions>] = [
        .options(
            "preset", "A named recipe: list 240×180, grid 640×360, preview 1600 (repeatable).", value: "preset"
        ) { $0.presets.append($1) },
        .option("size", "A box: 640, 640x360, 640x, x360.", value: "size") { $0.size = $1 },
        .option(
            "fit", "inside: the whole picture within the box; cover: the box filled, the rest cut; contain: padded."
        ) { $0.fit = $1 },
        .flag("enlarge", "Enlarge a picture that is smaller than the box.") { $0.enlarges = true },
        .option("format", "auto, jpeg, webp or png.", value: "format") { $0.format = $1 },
        .option("quality", "1 to 100, for JPEG and WebP.", value: "n") { $0.quality = $1 },
        .option("page", "The page of a document, from 1.", value: "n") { $0.page = $1 },
        .option("at", "The time in a video: 83.5, 00:01:23 or 10%.", value: "time") { $0.time = $1 },
        .option(
            "background", "The colour behind transparency and around contain: white, black or rrggbb.",
            value: "colour"
        ) { $0.background = $1 },
        .flag("no-icon", "Fail if there is no preview, instead of drawing a file-type icon.") {
            $0.refusesIcons = true
        },
    ]

    /// Refuses flags that make no recipe.
    ///
    /// - Throws: `ValidationError` if values are out of range or contradict each other.
    package func validate() throws {
        if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be from 1 to 100.") }
        if let page, !(1...1_000_000).contains(page) { throw ValidationError("--page must be from 1 to 1000000.") }
        if size != nil && !presets.isEmpty { throw ValidationError("Use --size or --preset, not both.") }
        if size == nil && fit != nil { throw ValidationError("--fit requires --size.") }
    }

    /// The recipes that the flags ask for: one for each preset, one for `--size`, or the preset `grid`.
    ///
    /// - Parameter output: where the renditions are written; without `--format` its extension chooses the format.
    package func recipes(output: String? = nil) -> [Recipe] {
        let bases =
            size.map { [Recipe(box: $0, fit: fit ?? .inside)] }
            ?? (presets.isEmpty ? [Preset.grid] : presets).map(\.recipe)
        var recipes: [Recipe] = []
        for base in bases {
            var recipe = base
            recipe.enlarge = enlarges
            recipe.format = format ?? output.flatMap(Recipe.Format.init(ofPath:)) ?? recipe.format
            recipe.quality = quality ?? recipe.quality
            recipe.background = background ?? recipe.background
            recipe.pageIndex = (page ?? 1) - 1
            recipe.time = time ?? .poster
            recipe.allowsIcon = !refusesIcons
            // The same preset twice is one rendition.
            if !recipes.contains(recipe) { recipes.append(recipe) }
        }
        return recipes
    }
}

extension Recipe.Format {
    /// The format that has the path's extension; `nil` if no format has it.
    package init?(ofPath path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        case "webp": self = .webp
        default: return nil
        }
    }
}
