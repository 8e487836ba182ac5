public import Media

/// The end of searches: by their person, or by time. Row and file go in one transaction.
extension SearchDesk {
    /// Deletes a search with its file, profile and matches.
    public func remove(_ search: ResumeSearch) throws {
        try removeFile(search.object) {
            do throws(SearchError) {
                _ = try searches.remove(search.id)
            } catch {
                // Somebody else has deleted it meanwhile.
                guard error == .notFound else { throw error }
            }
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
                try removeFile(remains.object) { try searches.remove(remains) }
                count += 1
            }
            place = page.next
        } while place != nil
        return count
    }

    /// Deletes searches whose time is over. Sessions whose jobs are over end too, so that none stays open because nobody asks about it.
    ///
    /// - Returns: how many searches were deleted.
    @discardableResult
    public func tidy() throws -> Int {
        // The oldest come first; those that stay are still in work.
        for search in try searches.searches(before: now - Self.patience, in: .processing, limit: Self.mostOpen) {
            // One that cannot be looked at now is looked at in the next round.
            _ = try? settle(search)
        }
        return try removeAll(of: nil, before: now - lifetime)
    }

    /// How old a search is before its job is looked at.
    private static let patience = Duration.seconds(60)
    /// How many open sessions are looked at in one round.
    private static let mostOpen = 1000

    private static let pageCount = 200
}
