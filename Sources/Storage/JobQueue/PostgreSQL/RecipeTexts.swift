internal import Media

/// The texts of recipes for rows. Jobs that are queued together mostly have the same recipes, whose texts are made
/// once.
struct RecipeTexts {
    /// What the recipes add to a job's identity, and their form in a row.
    struct Texts {
        let identity: String
        let stored: String
    }

    private var known: [[Recipe]: Texts] = [:]

    mutating func texts(of recipes: [Recipe]) -> Texts {
        if let texts = known[recipes] { return texts }
        let texts = Texts(identity: JobRequest.identity(of: recipes), stored: JobRow.text(recipes))
        known[recipes] = texts
        return texts
    }
}
