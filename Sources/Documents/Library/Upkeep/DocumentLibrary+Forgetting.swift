public import Documents
internal import Linux
public import Media

extension DocumentLibrary {
    /// Removes all data of a person: documents, started uploads, schools, templates, events, files and renditions.
    ///
    /// The person must have no session any more, or they may add data meanwhile. Call it again after an interruption.
    /// - Parameter isWanted: called before each document and each file.
    /// - Returns: `false` if it was no longer wanted before everything was removed.
    /// - Throws: `unavailable` if a store does not respond.
    public func forget(
        _ person: ID<Person>, while isWanted: () -> Bool = { true }
    ) throws(DocumentError) -> Bool {
        guard try removeDocuments(of: person, while: isWanted) else { return false }
        try store.forget(person)
        try finishRemovals(of: person, while: isWanted)
        return isWanted()
    }

    private func removeDocuments(of person: ID<Person>, while isWanted: () -> Bool) throws(DocumentError) -> Bool {
        var place: StorePlace?
        repeat {
            let page = try store.allVersions(of: person, behind: place, limit: 200)
            for version in page.elements {
                guard isWanted() else { return false }
                do throws(DocumentError) {
                    _ = try store.removeLine(of: version.id, owner: person)
                } catch {
                    // It was removed with another version of its line.
                    guard case .notFound = error else { throw error }
                }
            }
            place = page.next
        } while place != nil
        return true
    }

    /// Removes the bytes of removed objects. Waits a while for removals that others have taken, or that were postponed.
    private func finishRemovals(of person: ID<Person>, while isWanted: () -> Bool) throws(DocumentError) {
        let end = Time.monotonic + Self.removalPatience
        while isWanted() {
            try removeFiles(while: isWanted)
            if try !store.hasRemovals(of: person) || Time.monotonic >= end { return }
            Time.sleep(.milliseconds(20))
        }
    }

    private static let removalPatience: Duration = .seconds(10)
}
