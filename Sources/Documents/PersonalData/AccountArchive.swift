public import Documents
public import Media
public import Objects
public import People
internal import Synchronization

/// All data of a person as a ZIP archive: lists in JSON, what was done by the person or with their data, and every file
/// under `files/` and `resumes/`.
///
/// It is produced on demand as the client reads. Its memory does not grow with its content: the central directory, some
/// 150 bytes per file, goes to an unnamed file once it has 64 KiB.
///
/// Unreadable data stops nothing: the archive's last list, `missing.json`, names it.
public final class AccountArchive: Sendable {
    private let files: ArchiveFiles
    private let gaps = ArchiveGaps()
    /// Whether a call of `next` is running, or one has failed.
    private let isTaken = Atomic(false)
    // Safe as Sendable: only the call that has set `isTaken` uses it.
    private nonisolated(unsafe) var state: State

    private struct State {
        var zip: ZipArchive
        /// All files of the archive, page by page.
        let entries: ArchivePages<ArchiveEntry>
        /// The entries of the last page that have not begun.
        var waiting: ArraySlice<ArchiveEntry> = []
        /// The file that has begun.
        var bytes: ArchivePages<UInt8>?
    }

    /// Data of the person that the archive does not have, or not as a whole.
    public struct Missing: Hashable, Sendable {
        /// `document`, `school`, `template`, `link`, `search`, `activity`, `file`; or `list` if there is more than
        /// `missing.json` names.
        public let kind: String
        /// The ID of a row; for a file its place in the archive, for a list its name.
        public let name: String
        /// Why it is missing, for people.
        public let reason: String
    }

    private static let pageCount = 200

    /// The archive of a person.
    ///
    /// - Parameters:
    ///   - accounts: has the account.
    ///   - parts: what else the service keeps about people.
    ///   - activityByteCount: how many of the latest bytes of the audit log are read.
    ///   - folder: where the unnamed file is made.
    public init(
        of account: Account, in accounts: AccountDesk, documents: DocumentStore, files store: any ObjectStore,
        parts: [PersonalPart] = [], audit: AuditLog?, activityByteCount: Int64 = 1 << 30,
        spoolingIn folder: String, at now: Instant
    ) {
        let lists = ArchiveLists(
            account: account, accounts: accounts, documents: documents, parts: parts, audit: audit,
            activityByteCount: activityByteCount, gaps: gaps)
        files = ArchiveFiles(documents, store, gaps: gaps)
        state = State(
            zip: ZipArchive(spoolingIn: folder), entries: Self.entries(lists, files, documents, gaps, at: now))
    }

    /// The number of the person's files in the bytes returned so far.
    public var fileCount: Int { files.openedCount }

    /// What was found missing so far.
    public var missing: [Missing] { gaps.things }

    /// The next bytes of the archive, at most about 1 MiB; empty if it must search further; `nil` at its end.
    ///
    /// Blocks while it opens a file, or reads a page of rows, a piece of a file, or lines for 100 ms. Must not be
    /// called before the last call has returned, nor after an error.
    /// - Throws: if a store cannot be read. The bytes returned so far are then not an archive.
    public func next() throws -> [UInt8]? {
        let isTaken = isTaken.exchange(true, ordering: .acquiring)
        precondition(!isTaken, "another call goes on, or one has failed")
        let piece = try piece()
        self.isTaken.store(false, ordering: .releasing)
        return piece
    }

    private func piece() throws -> [UInt8]? {
        if let bytes = state.bytes {
            if let piece = try bytes() { return state.zip.part(piece) }
            state.bytes = nil
            return try state.zip.end()
        }
        if let entry = state.waiting.popFirst() {
            state.bytes = try entry.open()
            return state.bytes == nil ? [] : state.zip.begin(entry.name, at: entry.moment)
        }
        guard let page = try state.entries() else { return try state.zip.directory() }
        state.waiting = page[...]
        return []
    }

    /// Lists, files of the parts, the other files, and last the list of what is missing.
    private static func entries(
        _ lists: ArchiveLists, _ files: ArchiveFiles, _ documents: DocumentStore, _ gaps: ArchiveGaps,
        at now: Instant
    ) -> ArchivePages<ArchiveEntry> {
        ArchivePaging.joined([
            ArchivePaging.page {
                let found = try lists.partThings()
                let partFiles = found.flatMap(\.things).compactMap(\.file)
                return lists.all(found).map { $0.entry(at: now) }
                    + partFiles.map { files.entry($0.path, stored: $0.stored, $0.object) }
            },
            ArchivePaging.pages(of: StorePlace.self) { place in
                let page = try documents.objects(of: lists.account.id, behind: place, limit: pageCount)
                for row in page.unreadable { gaps.note("file", row, "cannot be read") }
                // Files without a path belong to the parts, and have been added already.
                let entries = page.elements.compactMap { object in
                    object.path.map { files.entry(lists.name(of: $0), stored: object.stored, object.id) }
                }
                return (entries, page.next)
            },
            ArchivePaging.page { [lists.missing().entry(at: now)] },
        ])
    }
}
