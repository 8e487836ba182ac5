import MatchStore
import Media
import Objects
import PersonalData

extension PersonalPart {
    /// The searches for jobs, latest first, each with its résumé.
    init(_ searches: SearchDesk) {
        self.init(
            kind: "search", listName: "searches.json",
            things: { person in
                let (found, unreadable) = try searches.searches(of: person)
                let things = found.map { search in
                    let path = "resumes/\(search.id)_\(FileName.safe(search.fileName))"
                    return Thing(name: search.session.text, file: (path, search.created, search.object)) {
                        try searches.record(of: search)
                    }
                }
                return (things, unreadable)
            },
            removeAll: { person in try searches.removeAll(of: person) })
    }
}
