public import Documents
internal import Linux
internal import Media
internal import Objects
internal import ThumbnailCache

/// What a sweep has removed.
public struct SweepReport: Hashable, Sendable {
    /// Files without a row that were whole, as after a crash between file and row.
    public var fileCount = 0
    /// Files that arrived in part.
    public var incomingCount = 0
    /// Resumable uploads whose time was over.
    public var uploadCount = 0
    /// Contents without a document of which machines shared pictures.
    public var contentCount = 0
    /// The bytes of all these files.
    public var byteCount: Int64 = 0
}

extension DocumentLibrary {
    /// The age below which a sweep removes nothing.
    public static let youngestSweptAge: Duration = .seconds(86_400)

    /// Finds and removes what interrupted uploads have left: files that no row names, and parts of files; and shared pictures of contents
    /// that no document has.
    ///
    /// No file younger than a day is touched: its row may be about to be written.
    /// - Returns: `nil` where another process or thread is at it.
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

    private func sweepUploads(_ report: inout SweepReport) throws(DocumentError) {
        while true {
            let expired = try store.expiredUploads(limit: 100)
            for upload in expired {
                try store.removeUpload(upload.id, of: upload.owner)
                report.uploadCount += 1
            }
            if expired.count < 100 { return }
        }
    }

    private func sweepIncoming(_ report: inout SweepReport) throws(DocumentError) {
        let age = Self.youngestSweptAge
        let files = try DocumentError.converting { () throws(ObjectError) in try objects.incoming(untouchedFor: age) }
        for file in files {
            do throws(ObjectError) {
                if try objects.removeIncoming(file.id, untouchedFor: age) {
                    report.incomingCount += 1
                    report.byteCount += file.byteCount
                }
            } catch {
                // Somebody has it in work after all.
                if error != .busy { throw DocumentError(error) }
            }
        }
    }

    /// Forgets the shared pictures of contents that no version has: a worker that was silent for longer than its lease may store some after
    /// the removal. Pictures of any age go: a version's are made after its row is there.
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
        while true {
            let page = try DocumentError.converting { () throws(ObjectError) in try walk.next(500) }
            if page.isEmpty { return }
            for file in page where Self.isOld(file) {
                // Those of searches are their desk's to sweep.
                if file.path.isOfSearch { continue }
                if try store.hasDocument(withFile: file.path.text) { continue }
                do throws(DocumentError) {
                    let isRemoved = try DocumentError.converting { () throws(ObjectError) in
                        try objects.remove(file.path) { isLeftOver(file.path) }
                    }
                    guard isRemoved else { continue }
                } catch {
                    // One file that is in use or cannot be opened keeps no other from being swept.
                    failureCount += 1
                    guard failureCount <= Self.mostFailures else { throw error }
                    warn(error)
                    continue
                }
                try store.keep(FileNotes(), ofFile: file.path.text)
                report.fileCount += 1
                report.byteCount += file.byteCount
            }
        }
    }

    /// How many files may fail before the store itself is at fault.
    private static let mostFailures = 20

    private static func isOld(_ file: ObjectStatus) -> Bool {
        Duration.nanoseconds(Time.wall - file.modified) > youngestSweptAge
    }

    /// Whether the file at a path is still one that no row names, and an old one: another may have come there since it was listed.
    private func isLeftOver(_ path: ObjectPath) -> Bool {
        do throws(DocumentError) {
            let status = try DocumentError.converting { () throws(ObjectError) in try objects.status(of: path) }
            return Self.isOld(status) ? try !store.hasDocument(withFile: path.text) : false
        } catch {
            warn(error)
            return false
        }
    }
}
