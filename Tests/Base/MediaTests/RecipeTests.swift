import Media
import TestDeadline
import Testing

@Suite("Recipes and their names", .deadline)
struct RecipeTests {
    @Test("Presets are the app's boxes")
    func presets() {
        #expect(Preset.list.recipe.box == Box(width: 240, height: 180))
        #expect(Preset.grid.recipe.box == Box(width: 640, height: 360))
        #expect(Preset.preview.recipe.box == Box(width: 1600, height: 1600))
        #expect(Preset.preview.recipe.fit == .inside)
    }

    @Test("A name is readable, and safe as a file name")
    func names() {
        var page = Recipe(box: Box(width: 1600, height: 1600)!, fit: .inside)
        page.pageIndex = 2
        #expect(Preset.grid.recipe.name.hasPrefix("grid-"))
        #expect(page.name.hasPrefix("p3-preview-"))
        var clip = Preset.grid.recipe
        clip.time = .milliseconds(83_500)
        clip.quality = 70
        #expect(clip.name.hasPrefix("t83500ms-640x360-cover-q70-"))
        for recipe in [page, clip, Preset.list.recipe] {
            #expect(recipe.name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) })
        }
    }

    @Test("Each property that changes the rendition changes the name")
    func namesDiffer() {
        let base = Preset.grid.recipe
        let changes: [(inout Recipe) -> Void] = [
            { $0.box = Box(width: 641, height: 360)! }, { $0.fit = .contain }, { $0.enlarge = true },
            { $0.format = .png }, { $0.quality = 81 }, { $0.background = .black }, { $0.pageIndex = 1 },
            { $0.time = .milliseconds(0) }, { $0.allowsIcon = false },
        ]
        var names: Set<String> = [base.name]
        for change in changes {
            var recipe = base
            change(&recipe)
            names.insert(recipe.name)
        }
        #expect(names.count == changes.count + 1)
    }

    @Test("PNG has no quality, so two qualities are one recipe's rendition")
    func qualityOfPNG() {
        var recipe = Preset.grid.recipe
        recipe.format = .png
        let name = recipe.name
        recipe.quality = 10
        #expect(recipe.name == name)
    }
}
