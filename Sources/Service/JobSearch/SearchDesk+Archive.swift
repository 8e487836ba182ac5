public import Documents
public import Media
internal import Resumes
public import SearchDatabase

/// What a person gets of their searches, with everything else that is theirs.
extension SearchDesk {
    /// A person's searches with their profiles and matches, and the sessions of those that cannot be read.
    public func record(
        of owner: ID<Person>
    ) throws -> (searches: [(search: ResumeSearch, json: JSON)], unreadable: [String]) {
        var (found, unreadable) = ([(search: ResumeSearch, json: JSON)](), [String]())
        var place: StorePlace?
        repeat {
            let page = try searches.searches(of: owner, behind: place, limit: 100)
            unreadable += page.unreadable
            for search in page.elements {
                do {
                    found.append((search, try json(search)))
                } catch SearchError.damaged {
                    unreadable.append(search.session.text)
                }
            }
            place = page.next
        } while place != nil
        return (found.sorted { $0.search.created > $1.search.created }, unreadable)
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
