extension Vocabulary {
    /// The project's own small vocabulary: some hundred occupations, made when it is first asked for.
    public static let builtIn: Vocabulary = {
        do {
            return Vocabulary(
                occupations: try OwnLists.occupations(
                    String(decoding: PackageResources.occupations_txt, as: UTF8.self)),
                skills: try OwnLists.skills(String(decoding: PackageResources.skills_txt, as: UTF8.self)))
        } catch {
            preconditionFailure("the built-in vocabulary: \(error)")
        }
    }()
}
