internal import Media

/// The texts of recipes for rows. Jobs that are queued together mostly have the same ones, whose texts are made once.
struct RecipeTexts {
    /// What they add to a job's identity, and how a row has them.
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
