extension Vocabulary {
    /// The project's own small vocabulary: some hundred occupations, created on first use.
    public static let builtIn = Vocabulary(
        occupations: VocabularyLists.own.occupations, skills: VocabularyLists.own.skills)
}

extension VocabularyLists {
    /// The project's own lists.
    static let own: VocabularyLists = {
        do {
            return VocabularyLists(
                occupations: try OwnLists.occupations(
                    String(decoding: PackageResources.occupations_txt, as: UTF8.self)),
                skills: try OwnLists.skills(String(decoding: PackageResources.skills_txt, as: UTF8.self)))
        } catch {
            preconditionFailure("the built-in vocabulary: \(error)")
        }
    }()
}
