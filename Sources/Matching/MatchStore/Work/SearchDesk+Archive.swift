internal import Matching
public import Media

/// The searches in the archive of a person's data.
extension SearchDesk {
    /// A person's searches, the latest first, and the sessions of searches that cannot be read. A person has at most a
    /// thousand.
    public func searches(of owner: ID<Person>) throws -> (found: [ResumeSearch], unreadable: [String]) {
        var (found, unreadable) = ([ResumeSearch](), [String]())
        var place: StorePlace?
        repeat {
            let page = try searches.searches(of: owner, behind: place, limit: 100)
            found += page.elements
            unreadable += page.unreadable
            place = page.next
        } while place != nil
        return (found.sorted { $0.created > $1.created }, unreadable)
    }

    /// A search with its profile and its matches; `nil` if they cannot be read.
    public func record(of search: ResumeSearch) throws -> JSON? {
        do {
            return try json(search)
        } catch SearchError.damaged {
            return nil
        }
    }

    private func json(_ search: ResumeSearch) throws -> JSON {
        let profile = try profile(of: search)?.profile
        let matches = try matches(of: search, localOnly: false)
        return .object([
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
    }
}
