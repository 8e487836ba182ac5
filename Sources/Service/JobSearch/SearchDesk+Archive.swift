public import Documents
public import Media
internal import Resumes
public import SearchDatabase

/// What a person gets of their searches, with everything else that is theirs.
extension SearchDesk {
    /// A person's searches with their profiles and matches, the latest first.
    public func record(of owner: ID<Person>) throws -> [(search: ResumeSearch, json: JSON)] {
        try searches.searches(of: owner, limit: .max).map { search in
            let profile = try profile(of: search)?.profile
            let matches = try matches(of: search, localOnly: false)
            return (
                search,
                .object([
                    "id": .string(search.id.text), "created_at": .string(search.created.description),
                    "file_name": .string(search.fileName), "status": .string(search.state.rawValue),
                    "profile": profile.map(\.json) ?? .null,
                    "jobs": .array(
                        matches.map { match in
                            .object([
                                "title": .string(match.title), "company": .string(match.company),
                                "location": .string(match.location), "url": match.url.map(JSON.string) ?? .null,
                                "category": .string(match.isDirect ? "direct" : "adjacent"),
                            ])
                        }),
                ])
            )
        }
    }
}
