internal import Documents
internal import Media
internal import Objects
internal import ThumbnailCache

extension DocumentLibrary {
    /// How long a removal belongs to its taker alone. If the taker dies, another can take it.
    private static let removalLease: Duration = .seconds(30)

    /// Removes the bytes of objects and uploads whose rows are gone, and the renditions of contents that no object has
    /// any more. Failures are retried later. So are objects that a worker is still working on, since it stores their
    /// pictures. IDs are never reused, so two callers may do the same.
    ///
    /// - Parameter isWanted: called before each object.
    func removeFiles(while isWanted: () -> Bool = { true }) throws(DocumentError) {
        while isWanted(), let removal = try store.takeRemoval(for: Self.removalLease) {
            do {
                try finish(removal)
            } catch {
                warn(
                    .unavailable(
                        detail: "the bytes of removed object \(removal.object) cannot be deleted yet: \(error)"))
                try store.delayRemoval(removal)
            }
        }
    }

    private func finish(_ removal: Removal) throws {
        // An upload may not be an object yet; and an object may have left something where it arrived, if its store
        // failed then.
        guard try removeIncoming(removal.object) else { return try store.delayRemoval(removal) }
        try objects.remove(removal.object)
        guard try store.forgetJobs(of: removal) else { return try store.delayRemoval(removal) }
        if let digest = removal.digest, try !store.isUsed(digest) {
            try cache.purge(digest)
            try shared?.remove(digest)
        }
        try store.endRemoval(removal)
    }

    /// - Returns: `false` while a request still writes to the file.
    private func removeIncoming(_ id: ObjectID) throws(ObjectError) -> Bool {
        do throws(ObjectError) {
            try objects.removeIncoming(id, untouchedFor: .zero)
            return true
        } catch {
            if error == .busy { return false }
            throw error
        }
    }
}
