internal import HTTPSyntax
internal import Library
internal import Media

/// The picture that a query string asks for.
struct PictureQuery {
    private let items: QueryItems
    private let format: Recipe.Format
    private let takesAnyFormat: Bool
    private let isVisited: Bool

    /// - Parameters:
    ///   - isVisited: whether a visitor asks, who gets frames of few moments only.
    ///   - accepted: decides the format: WebP if it is named, otherwise JPEG (PNG if the picture is transparent),
    ///     unless the client prefers another one.
    init(_ items: QueryItems, accepted: AcceptedTypes, isVisited: Bool = false) {
        self.items = items
        self.isVisited = isVisited
        format =
            switch accepted.best(of: [.webp, .jpeg, .png], onlyNamed: [.webp]) {
            case .webp: .webp
            case .png: .png
            default: .automatic
            }
        takesAnyFormat = Set([.webp, .jpeg, .png].map(accepted.quality)).count == 1
    }

    /// The picture as uploads make it, so that a client without a preferred format need not wait; `nil` for other
    /// clients.
    func standIn(for recipe: Recipe) -> Recipe? {
        guard format == .webp, takesAnyFormat else { return nil }
        var recipe = recipe
        recipe.format = .automatic
        return recipe
    }

    /// Whether the address names the content, so that the answer never changes.
    var namesContent: Bool { items["content"] != nil }

    /// A preset, or the smallest thumbnail that is at least as large as a size, with a fit; without either, the preset
    /// `grid`.
    func thumbnail() throws -> Recipe {
        try allow(["preset", "width", "height", "fit"])
        var recipe: Recipe
        if let name = items["preset"] {
            guard let preset = Preset(rawValue: name), items["width"] == nil, items["height"] == nil else {
                throw RequestError(
                    message:
                        "Choose one of the presets \(Preset.allCases.map(\.rawValue).joined(separator: ", ")), without a size.",
                    field: "preset")
            }
            recipe = preset.recipe
        } else if items["width"] != nil || items["height"] != nil {
            recipe = Recipe.thumbnail(atLeast: try side("width") ?? 0, try side("height") ?? 0)
            if let fit = try fit() { recipe.fit = fit }
        } else {
            recipe = Preset.grid.recipe
        }
        recipe.format = format
        return recipe
    }

    /// A picture as wide as a rung of the ladder, never enlarged.
    ///
    /// - Parameter largest: the source's own width, if it is known.
    func whole(largest: Int?, pageIndex: Int = 0, time: TimePosition = .poster) throws -> Recipe {
        try allow(["width", "time"])
        let asked = try side("width") ?? Self.usualWidth
        let wanted = min(asked, largest ?? asked)
        let width = PictureLadder.step(atLeast: wanted)
        return Recipe(
            box: Box(width: width, height: nil)!, fit: .inside, enlarge: pageIndex > 0 || largest == nil,
            format: format,
            pageIndex: pageIndex, time: time, allowsIcon: false)
    }

    /// The moment of a video's frame.
    func time() throws -> TimePosition {
        guard let text = items["time"] else { return .poster }
        guard let time = TimePosition(parsing: text) else {
            throw RequestError(message: "The time must be seconds, 00:01:23 or a percentage.", field: "time")
        }
        return isVisited ? time.step : time
    }

    private static let usualWidth = 1600

    private func side(_ name: String) throws -> Int? {
        guard let text = items[name] else { return nil }
        guard let side = Int(text), (1...8192).contains(side) else {
            throw RequestError(message: "\(name) must be from 1 to 8192 pixels.", field: name)
        }
        return side
    }

    private func fit() throws -> Fit? {
        guard let text = items["fit"] else { return nil }
        guard let fit = Fit(rawValue: text) else {
            throw RequestError(
                message: "The fit must be \(Fit.allCases.map(\.rawValue).joined(separator: ", ")).", field: "fit")
        }
        return fit
    }

    /// The parameters that do not describe the picture.
    private static let signs: Set<String> = ["content", LinkAddress.parameter]

    private func allow(_ names: Set<String>) throws {
        for item in items.items where !Self.signs.contains(item.name) && !names.contains(item.name) {
            throw RequestError(message: "Unknown parameter.", field: String(item.name.prefix(64)))
        }
    }
}
