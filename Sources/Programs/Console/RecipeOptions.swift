internal import ArgumentParser
package import Media

/// The flags that say what to make.
package struct RecipeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A named recipe: list 240×180, grid 640×360, preview 1600 (repeatable).", valueName: "preset"))
    var preset: [Preset] = []

    @Option(help: ArgumentHelp("A box: 640, 640x360, 640x, x360.", valueName: "size"))
    var size: Box?

    @Option(help: "inside: the whole picture within the box; cover: the box filled, the rest cut; contain: padded.")
    var fit: Fit?

    @Flag(help: "Let a small picture grow to the box.")
    var enlarge = false

    @Option(help: ArgumentHelp("auto, jpeg, webp or png.", valueName: "format"))
    var format: Recipe.Format?

    @Option(help: ArgumentHelp("1 to 100, for JPEG and WebP.", valueName: "n"))
    var quality: Int?

    @Option(help: ArgumentHelp("The page of a document, from 1.", valueName: "n"))
    var page: Int?

    @Option(help: ArgumentHelp("The moment of a video: 83.5, 00:01:23 or 10%.", valueName: "time"))
    var at: TimePosition?

    @Option(
        help: ArgumentHelp(
            "What shows behind transparency and around contain: white, black or rrggbb.", valueName: "colour"))
    var background: Colour?

    @Flag(name: .customLong("no-icon"), help: "Fail where there is no preview, instead of drawing a file-type icon.")
    var refusesIcons = false

    package init() {}

    package func validate() throws {
        if let complaint = choice.complaint { throw ValidationError(complaint) }
    }

    /// The recipes asked for; a format that is not said follows the output's extension.
    package func recipes(output: String? = nil) -> [Recipe] { choice.recipes(output: output) }

    private var choice: RecipeChoice {
        var choice = RecipeChoice(presets: preset, size: size)
        choice.fit = fit
        choice.enlarge = enlarge
        choice.format = format
        choice.quality = quality
        choice.background = background
        choice.page = page
        choice.time = at
        choice.refusesIcons = refusesIcons
        return choice
    }
}

extension Recipe.Format {
    /// The format that a file's extension asks for.
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
