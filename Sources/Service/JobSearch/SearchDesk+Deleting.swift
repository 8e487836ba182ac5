public import Documents
internal import Linux
internal import Media
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
        _ = try removeAll(of: owner, before: Instant(microseconds: .max))
    }

    /// Deletes searches with their files, whether or not their rows can be read.
    ///
    /// - Returns: how many.
    private func removeAll(of owner: ID<Person>?, before moment: Instant) throws -> Int {
        var count = 0
        var place: StorePlace?
        repeat {
            let page = try searches.remains(of: owner, before: moment, behind: place, limit: Self.pageCount)
            for remains in page.elements {
                if let path = remains.path.flatMap({ try? ObjectPath($0) }), path.isOfSearch {
                    // Its row names it still.
                    try objects.removeReferenced(path)
                }
                try searches.remove(remains)
                count += 1
            }
            place = page.next
        } while place != nil
        return count
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
        return try removeAll(of: nil, before: now - lifetime) + sweep()
    }

    /// How old a search is before its job is looked at.
    private static let patience = Duration.seconds(60)
    /// How many open sessions are looked at in one round.
    private static let mostOpen = 1000

    /// No file younger than a day is touched: its row may be about to be written.
    private func sweep() throws -> Int {
        var count = 0
        var place: ObjectPath?
        repeat {
            let page = try objects.list(prefix: "\(ObjectPath.resumes)/", after: place, limit: Self.pageCount)
            for file in page.elements where Duration.nanoseconds(Time.wall - file.modified) > .seconds(86_400) {
                if try searches.hasSearch(ofFile: file.path.text) { continue }
                if try objects.remove(file.path) { count += 1 }
            }
            place = page.next
        } while place != nil
        return count
    }

    private static let pageCount = 200
}
