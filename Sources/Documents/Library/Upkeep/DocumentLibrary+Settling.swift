internal import Documents
internal import Media
internal import Synchronization
internal import ThumbnailCache

extension DocumentLibrary {
    /// Writes the outcome of the pictures of stored documents to their rows: facts and placeholder come from the cache.
    ///
    /// If the facts are not available now, the end of the job waits: a document settled without them would stay without
    /// them.
    func settleEndedPictures() throws(DocumentError) {
        var place = settledPlace.withLock { $0 }
        var failureCount = 0
        repeat {
            let page = try store.endedPictures(behind: place, limit: 100)
            for pictures in page.elements {
                if let outcome = try outcome(of: pictures) {
                    try store.settle(pictures, outcome)
                } else {
                    failureCount += 1
                }
            }
            place = page.next
            // If many facts are unreachable, the next call begins behind these.
            if failureCount >= Self.mostUnsettled { break }
        } while place != nil
        settledPlace.withLock { $0 = place }
    }

    private static let mostUnsettled = 100

    /// - Returns: `nil` if the facts are unreachable.
    private func outcome(of pictures: EndedPictures) throws(DocumentError) -> PictureOutcome? {
        guard pictures.isDone else {
            return .failed(message: pictures.failure ?? "Unable to load file. File may be corrupt.")
        }
        guard let document = try store.document(withObject: pictures.object) else {
            return .ready(nil, placeholder: nil)
        }
        do throws(Failure) {
            let known = try facts(of: document.file.digest)
            return .ready(known?.facts, placeholder: known?.placeholder)
        } catch {
            // Not thrown: events are sent, and files removed, while the bucket is unreachable.
            warn(.unavailable(detail: error.detail))
            return nil
        }
    }

    /// The facts of a content, from this machine's cache or another's.
    private func facts(of digest: Digest) throws(Failure) -> StoredFacts? {
        if let facts = cache.facts(of: .digest(digest)) { return facts }
        guard let shared else { return nil }
        return try cache.takeFacts(of: digest, from: shared)
    }

    /// Wakes the requests whose job has ended.
    func endWaits() throws(DocumentError) {
        for job in Set(desk.jobs).union(visits.jobs) where try isOver(job) {
            desk.end(job)
            visits.end(job)
        }
    }
}
