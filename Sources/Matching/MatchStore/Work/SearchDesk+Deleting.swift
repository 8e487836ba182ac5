public import Media

/// Deletes searches, by their person or by age. One transaction deletes row and file.
extension SearchDesk {
    /// Deletes a search with its file, profile and matches.
    public func remove(_ search: ResumeSearch) throws {
        try removeFile(search.object) {
            do throws(SearchError) {
                _ = try searches.remove(search.id)
            } catch {
                // Another caller has deleted it meanwhile.
                guard error == .notFound else { throw error }
            }
        }
    }

    /// Deletes all searches of a person.
    public func removeAll(of owner: ID<Person>) throws {
        _ = try removeAll(of: owner, before: Instant(microseconds: .max))
    }

    /// Deletes searches with their files, even if their rows cannot be read.
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

    /// Deletes expired searches. Sessions whose jobs are over end too, so that no session stays open because nobody
    /// asks about it.
    ///
    /// - Returns: how many searches were deleted.
    @discardableResult
    public func tidy() throws -> Int {
        // The oldest come first; the rest are still in work.
        for search in try searches.searches(before: now - Self.patience, in: .processing, limit: Self.mostOpen) {
            // A session that cannot be checked now is checked in the next round.
            _ = try? settle(search)
        }
        return try removeAll(of: nil, before: now - lifetime)
    }

    /// The age of a search from which its job is checked.
    private static let patience = Duration.seconds(60)
    /// How many open sessions are checked in one round.
    private static let mostOpen = 1000

    private static let pageCount = 200
}
