internal import Documents
internal import Media
internal import Objects
internal import ThumbnailCache

extension DocumentLibrary {
    /// So long a removal is its taker's alone. After the death of a taker it is another's.
    private static let removalLease: Duration = .seconds(30)

    /// Removes files whose versions are gone, and the renditions of contents that no version has any more. What fails is tried
    /// again later, and so is what a worker still has in work: it stores its pictures.
    ///
    /// - Parameter isWanted: asked before each file.
    func removeFiles(while isWanted: () -> Bool = { true }) throws(DocumentError) {
        while isWanted(), let removal = try store.takeRemoval(for: Self.removalLease) {
            do {
                try finish(removal)
            } catch {
                warn(.unavailable(detail: "a removed document's file is still there: \(error)"))
                try store.delayRemoval(removal)
            }
        }
    }

    private func finish(_ removal: Removal) throws {
        // Somebody else may have taken it while this process stood still, and a new file may be at the path since.
        var isHeld = false
        try objects.remove(try ObjectPath(removal.path)) {
            isHeld = holds(removal)
            return isHeld
        }
        guard isHeld else { return }
        guard try store.forgetJobs(of: removal) else { return try store.delayRemoval(removal) }
        if try !store.isUsed(removal.digest) {
            try cache.purge(removal.digest)
            try shared?.remove(removal.digest)
        }
        try store.endRemoval(removal)
    }

    /// - Returns: `false` also where nobody can tell.
    private func holds(_ removal: Removal) -> Bool {
        do throws(DocumentError) {
            return try store.holds(removal)
        } catch {
            warn(error)
            return false
        }
    }
}
