public import Documents
internal import Linux
internal import Objects
public import SearchDatabase

/// The end of searches: by their person, or by time. The file goes first, so a deletion that fails in between is asked for again.
extension SearchDesk {
    /// Deletes a search with its file, profile and matches.
    public func remove(_ search: ResumeSearch) throws {
        try objects.removeReferenced(try ObjectPath(search.path))
        do throws(SearchError) {
            _ = try searches.remove(search.id)
        } catch {
            // Somebody else has deleted it meanwhile.
            guard error == .notFound else { throw error }
        }
    }

    /// Deletes all searches of a person.
    public func removeAll(of owner: ID<Person>) throws {
        while true {
            let page = try searches.searches(of: owner, limit: Self.pageCount)
            for search in page { try remove(search) }
            if page.count < Self.pageCount { return }
        }
    }

    /// Deletes searches whose time is over, and files that no search names: those of uploads that were cut off. Sessions whose jobs are
    /// over end too, so that none stays open because nobody asks about it.
    ///
    /// - Returns: how many searches and files were deleted.
    @discardableResult
    public func tidy() throws -> Int {
        // First, so that a store of files that is away keeps nobody waiting. The oldest come first; those that stay are still in work.
        for search in try searches.searches(before: now - Self.patience, in: .processing, limit: Self.mostOpen) {
            // One that cannot be looked at now is looked at in the next round.
            _ = try? settle(search)
        }
        var count = 0
        while true {
            let page = try searches.searches(before: now - lifetime, limit: Self.pageCount)
            for search in page { try remove(search) }
            count += page.count
            if page.count < Self.pageCount { break }
        }
        return count + (try sweep())
    }

    /// How old a search is before its job is looked at.
    private static let patience = Duration.seconds(60)
    /// How many open sessions are looked at in one round.
    private static let mostOpen = 1000

    /// No file younger than a day is touched: its row may be about to be written.
    private func sweep() throws -> Int {
        var (count, last) = (0, ObjectPath?.none)
        while true {
            let page = try objects.list(prefix: "\(ObjectPath.resumes)/", after: last, limit: Self.pageCount)
            for file in page where Duration.nanoseconds(Time.wall - file.modified) > .seconds(86_400) {
                if try searches.hasSearch(ofFile: file.path.text) { continue }
                if try objects.remove(file.path) { count += 1 }
            }
            guard page.count == Self.pageCount, let end = page.last else { return count }
            last = end.path
        }
    }

    private static let pageCount = 200
}
