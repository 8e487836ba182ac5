public import Documents
internal import Linux
internal import Media
internal import Objects
internal import ThumbnailCache

/// What a sweep has removed.
public struct SweepReport: Hashable, Sendable {
    /// Objects without a row, as after a crash between bytes and row.
    public var fileCount = 0
    /// Files that arrived in part.
    public var incomingCount = 0
    /// Expired resumable uploads.
    public var uploadCount = 0
    /// Contents without a document that had shared pictures.
    public var contentCount = 0
    /// The bytes of all these files.
    public var byteCount: Int64 = 0
}

extension DocumentLibrary {
    /// The age below which a sweep removes nothing.
    public static let youngestSweptAge: Duration = .seconds(86_400)
    /// A store may date an object by the beginning of its upload, which then lives for `uploadLifetime` and gets its
    /// row later still.
    private static let youngestSweptObject = youngestSweptAge + uploadLifetime

    /// Finds and removes what interrupted uploads left behind: objects without a row, and parts of files. Also removes
    /// shared pictures of contents that no object has.
    ///
    /// It touches no part of a file younger than a day, and no object younger than two: its row may be about to be
    /// written.
    /// - Returns: `nil` if another process or thread is sweeping.
    public func sweep() throws(DocumentError) -> SweepReport? {
        let turn = try DocumentError.converting { () throws(ObjectError) in try objects.takeSweepingTurn() }
        guard let turn else { return nil }
        defer { withExtendedLifetime(turn) {} }
        var report = SweepReport()
        try sweepUploads(&report)
        try sweepIncoming(&report)
        try sweepFiles(&report)
        try sweepPictures(&report)
        return report
    }

    /// What has arrived in time is finished before the rest is removed.
    private func sweepUploads(_ report: inout SweepReport) throws(DocumentError) {
        try finishArrivedUploads()
        report.uploadCount += try store.removeExpiredUploads()
        report.incomingCount += try endAbandonedIntakes(olderThan: Self.youngestSweptAge)
        try removeFiles()
    }

    private func sweepIncoming(_ report: inout SweepReport) throws(DocumentError) {
        let age = Self.youngestSweptAge
        let files = try DocumentError.converting { () throws(ObjectError) in try objects.incoming(untouchedFor: age) }
        for file in files {
            // Checked one by one: an upload may end while others are removed. The bytes of an open upload are removed
            // when it ends.
            guard try !store.unknownObjects(among: [file.id]).isEmpty else { continue }
            do throws(ObjectError) {
                if try objects.removeIncoming(file.id, untouchedFor: age) {
                    report.incomingCount += 1
                    report.byteCount += file.byteCount
                }
            } catch {
                // Somebody is working on it after all.
                if error != .busy { throw DocumentError(error) }
            }
        }
        report.incomingCount += try DocumentError.converting { () throws(ObjectError) in
            try objects.removeStrays(untouchedFor: Self.youngestSweptObject)
        }
    }

    /// Removes the shared pictures of contents that no object has: a worker that was silent for longer than its lease
    /// may store some after the removal. Their age does not matter: an object's pictures are made after its row exists.
    private func sweepPictures(_ report: inout SweepReport) throws(DocumentError) {
        guard let shared else { return }
        var place: String?
        repeat {
            let page = try DocumentError.convertingFailure { () throws(Failure) in try shared.contents(from: place) }
            for digest in page.digests where try !store.isUsed(digest) {
                try DocumentError.convertingFailure { () throws(Failure) in try shared.remove(digest) }
                report.contentCount += 1
            }
            place = page.next
        } while place != nil
    }

    private func sweepFiles(_ report: inout SweepReport) throws(DocumentError) {
        let walk = try DocumentError.converting { () throws(ObjectError) in try objects.walk() }
        var failureCount = 0
        while let page = try DocumentError.converting({ () throws(ObjectError) in try walk.next() }) {
            let old = page.filter { Duration.nanoseconds(Time.wall - $0.modified) > Self.youngestSweptObject }
            if old.isEmpty { continue }
            let unknown = try store.unknownObjects(among: old.map(\.id))
            for object in old where unknown.contains(object.id) {
                do throws(ObjectError) {
                    guard try objects.remove(object.id) else { continue }
                } catch {
                    // One object that cannot be removed does not stop the sweep of the others.
                    failureCount += 1
                    guard failureCount <= Self.mostFailures else { throw DocumentError(error) }
                    warn(DocumentError(error))
                    continue
                }
                report.fileCount += 1
                report.byteCount += object.byteCount
            }
        }
    }

    /// How many objects may fail before the store itself is at fault.
    private static let mostFailures = 20
}
