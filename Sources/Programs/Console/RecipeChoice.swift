package import Media

/// What to make, as a call says it: what it leaves out is `nil`, and the recipe's own.
package struct RecipeChoice {
    package var presets: [Preset]
    package var size: Box?
    package var fit: Fit?
    package var enlarge = false
    package var format: Recipe.Format?
    package var quality: Int?
    package var background: Colour?
    /// From 1.
    package var page: Int?
    package var time: TimePosition?
    package var refusesIcons = false

    package init(presets: [Preset] = [], size: Box? = nil) {
        self.presets = presets
        self.size = size
    }

    /// What makes no sense of it, if anything does not.
    package var complaint: String? {
        if let quality, !(1...100).contains(quality) { return "--quality is from 1 to 100." }
        if let page, !(1...1_000_000).contains(page) { return "--page counts from 1." }
        if size != nil && !presets.isEmpty { return "Use --size or --preset, not both." }
        if size == nil && fit != nil { return "--fit goes with --size." }
        return nil
    }

    /// The recipes; a format that is not said follows the output's extension.
    package func recipes(output: String?) -> [Recipe] {
        let bases =
            size.map { [Recipe(box: $0, fit: fit ?? .inside)] }
            ?? (presets.isEmpty ? [Preset.grid] : presets).map(\.recipe)
        var recipes: [Recipe] = []
        for base in bases {
            var recipe = base
            recipe.enlarge = enlarge
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
