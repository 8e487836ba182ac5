public import Documents
internal import Linux
public import Media

extension DocumentLibrary {
    /// Removes everything of a person: documents, started uploads, schools, templates, events, files and renditions.
    ///
    /// The person must have no session any more, or they may add things meanwhile. A call that was interrupted is made again.
    /// - Parameter isWanted: asked before each document, and each file.
    /// - Returns: `false` where it was not wanted any more before all was removed.
    /// - Throws: `unavailable` where a store does not answer.
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
                    // It has gone with another version of its line.
                    guard case .notFound = error else { throw error }
                }
            }
            place = page.next
        } while place != nil
        return true
    }

    /// Removes the bytes of removed objects, and waits a while for those that others have taken, or that were put off.
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
