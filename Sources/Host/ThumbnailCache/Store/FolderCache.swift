internal import CLinux
internal import Linux
public import Media

/// The content-addressed store in a folder, shared by threads and processes.
///
/// An entry is a folder with a file `<recipe>.<extension>` and a record `<recipe>.json` for each recipe. The record is
/// renamed into place last: it is the commit. Facts and the texts of pages have their own records. Folders are created
/// when they are first needed; a cache that cannot be written still answers.
public struct FolderCache: Sendable {
    let folder: CacheFolder

    /// The cache in `path`, which need not exist yet.
    ///
    /// - Parameter trustedOwner: a user who may own the folder, besides this user and root.
    public init(path: String, trustedOwner: UInt32? = nil) {
        self.init(path: path, trustedOwner: trustedOwner, files: LinuxFileSystem())
    }

    /// The cache with other file operations or another clock (nanoseconds since 1970).
    package init(
        path: String, trustedOwner: UInt32? = nil, user: UInt32 = geteuid(), files: any FileSystem,
        now: @escaping @Sendable () -> Int64 = { Time.wall }
    ) {
        var path = path
        precondition(!path.isEmpty, "a cache has a folder")
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        folder = CacheFolder(
            root: CacheRoot(path: path, trustedOwner: trustedOwner, user: user), files: files, now: now)
    }

    /// The path with which the cache was opened, without a trailing slash.
    public var path: String { folder.path }

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: `unavailable`.
    public func makeFolder() throws(Failure) {
        try folder.attempt("made") { () throws(SystemError) in try folder.makeFolder() }
    }

    /// Device and inode of the folder; `nil` before it is first needed. Two processes with the same values have the
    /// same cache.
    public var identity: (device: UInt64, inode: UInt64)? {
        (try? folder.files.status(of: "", in: folder.root)).map { ($0.device, $0.inode) }
    }

    /// The index from files on this machine to their keys.
    public var statIndex: StatIndex { StatIndex(folder: folder) }

    /// The locks that prevent two processes from rendering the same at once.
    public var singleFlight: SingleFlight { SingleFlight(folder: folder) }
}

/// Calls block, may come from any thread, and the store may be shared with other processes. A result is either correct
/// or a miss: damage, half-written entries and lost races are misses.
extension FolderCache {
    /// The rendition of a recipe, verified against its checksum, or its failure.
    ///
    /// Damage is counted, and is a miss. A look-up between another process's two renames is retried. If the writer does
    /// not continue, it is a miss that does not count: only a folder to which nobody writes shows damage.
    ///
    /// - Parameter currentBuild: the build of the renderer that would retry now, `nil` if unknown. Called only for a
    ///   lasting failure, which counts only for that exact build.
    public func lookup(_ key: SourceKey, recipe: Recipe, currentBuild: () -> String?) -> Lookup {
        let place = Place(key, recipe)
        var wasDamaged = false
        for _ in 0..<Self.readTries {
            switch read(place, currentBuild) {
            case .answer(let answer): return answer
            case .damaged(let record):
                // A writer or a collection that intervened has left another record, or none.
                guard isStill(record, at: place) else { continue }
                // Briefly, one writer's record may be beside another writer's file.
                if isBeingWritten(place) {
                    Time.sleep(Self.readPause)
                } else if wasDamaged {
                    folder.countDamage()
                    return .miss
                } else {
                    // This thread may have slept since it read, while a writer stored the same record again.
                    wasDamaged = true
                }
            }
        }
        return .miss
    }

    /// With the pause, a fifth of a second: a writer seldom stops for longer between its two renames.
    private static let readTries = 40
    private static let readPause: Duration = .milliseconds(5)

    /// Stores a rendition, in place of an earlier one or a failure.
    ///
    /// Stores a rendition, then its record; a full disk leaves the old entry unchanged.
    ///
    /// - Throws: `unavailable`; nothing half-written stays.
    @discardableResult
    public func store(
        _ rendition: Rendition, for key: SourceKey, recipe: Recipe
    ) throws(Failure) -> StoredRendition {
        let place = Place(key, recipe)
        let record = RenditionRecord(of: rendition, created: folder.now())
        let recordBytes = EntryRecord.rendition(record).bytes(recipe: place.canonical)
        try folder.attempt("written") { () throws(SystemError) in
            try commit(rendition.bytes, to: place.rendition(record.format), recordBytes, to: place.record)
        }
        CacheUsage(folder: folder).add([rendition.bytes.count, recordBytes.count])
        return StoredRendition(
            rendition: rendition, checksum: record.checksum, path: folder.path(place.rendition(record.format)))
    }

    /// Creates the folder of an entry before anything is stored in it; storing reports what fails here.
    public func prepareEntry(for key: SourceKey) { folder.prepareFolder(key.folder) }

    /// Stores a failure, in place of an earlier one or a rendition. A failure that does not belong to the content is
    /// not stored.
    ///
    /// - Throws: `unavailable`.
    public func storeFailure(
        _ failure: Failure, build: String, for key: SourceKey, recipe: Recipe
    ) throws(Failure) {
        guard failure.belongsToContent else { return }
        let place = Place(key, recipe)
        let stored = StoredFailure(failure: failure, build: build, created: folder.now())
        let record = EntryRecord.failure(stored).bytes(recipe: place.canonical)
        try folder.attempt("written") { () throws(SystemError) in try folder.write(record, to: place.record) }
        CacheUsage(folder: folder).add([record.count])
    }
}

extension FolderCache {
    /// The places of a recipe's record and rendition, below the cache's folder.
    private struct Place {
        let folder: String
        let name: String
        let canonical: String

        init(_ key: SourceKey, _ recipe: Recipe) {
            folder = key.folder
            name = recipe.name
            canonical = recipe.canonical
        }

        var record: String { "\(folder)/\(name)\(CacheLayout.recordSuffix)" }
        func rendition(_ format: RenditionFormat) -> String { "\(folder)/\(name).\(format.fileExtension)" }
    }

    private enum Reading {
        case answer(Lookup)
        /// The record's bytes, if they could be read: record or rendition differ from what was stored.
        case damaged(record: [UInt8]?)
    }

    private func read(_ place: Place, _ currentBuild: () -> String?) -> Reading {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try folder.files.read(place.record, in: folder.root, limit: SealedRecord.longest).bytes
        } catch {
            return error.isAbsence ? .answer(.miss) : .damaged(record: nil)
        }
        guard let (record, canonical) = EntryRecord.parse(bytes) else { return .damaged(record: bytes) }
        // Another recipe with the same short digest: not damage, but not the requested recipe.
        guard canonical == place.canonical else { return .answer(.miss) }
        switch record {
        case .failure(let stored): return .answer(counts(stored, currentBuild) ? .failure(stored) : .miss)
        case .rendition(let record):
            return rendition(of: record, at: place).map { .answer(.hit($0)) } ?? .damaged(record: bytes)
        }
    }

    /// Whether a failure still counts: a transient one for minutes, a lasting one for the build that failed.
    func counts(_ stored: StoredFailure, _ currentBuild: () -> String?) -> Bool {
        stored.failure.isTransient ? !stored.isExpired(at: folder.now()) : currentBuild() == stored.build
    }

    private func rendition(of record: RenditionRecord, at place: Place) -> StoredRendition? {
        let file = place.rendition(record.format)
        guard let contents = try? folder.files.read(file, in: folder.root, limit: record.byteCount),
            let rendition = record.rendition(of: contents.bytes)
        else { return nil }
        folder.noteUse(of: file, lastUse: contents.status.accessed)
        return StoredRendition(rendition: rendition, checksum: record.checksum, path: folder.path(file))
    }

    private func isStill(_ record: [UInt8]?, at place: Place) -> Bool {
        (try? folder.files.read(place.record, in: folder.root, limit: SealedRecord.longest).bytes) == record
    }

    /// Whether a file in the entry's folder was renamed within the last second.
    private func isBeingWritten(_ place: Place) -> Bool {
        guard let status = try? folder.files.status(of: place.folder, in: folder.root) else { return false }
        return Time.wall - status.modified < 1_000_000_000
    }

    /// Moves a rendition and its record to their places, the record last. An old record of other bytes is removed
    /// first, so that no reader finds it beside the new rendition.
    ///
    /// Both are written before either is renamed: a full disk, which shows on writing, leaves the old entry unchanged.
    private func commit(
        _ rendition: [UInt8], to renditionPlace: String, _ record: [UInt8], to recordPlace: String
    ) throws(SystemError) {
        let file = try folder.stage(rendition, for: renditionPlace)
        let recordFile: StagedFile
        do throws(SystemError) {
            recordFile = try folder.stage(record, for: recordPlace)
        } catch {
            folder.discard(file)
            throw error
        }
        do throws(SystemError) {
            if hasOtherRecord(at: recordPlace, than: record) { try folder.removeIfThere(recordPlace) }
            try folder.commit(file)
        } catch {
            folder.discard(file)
            folder.discard(recordFile)
            throw error
        }
        do throws(SystemError) {
            try folder.commit(recordFile)
        } catch {
            // Without its record the rendition is useless; beside an older record it would be damage.
            try? folder.files.remove(renditionPlace, in: folder.root)
            folder.discard(recordFile)
            throw error
        }
    }

    private func hasOtherRecord(at place: String, than record: [UInt8]) -> Bool {
        do throws(SystemError) {
            let old = EntryRecord.parse(
                try folder.files.read(place, in: folder.root, limit: SealedRecord.longest).bytes)
            return old?.record.checksum != EntryRecord.parse(record)?.record.checksum
        } catch {
            return !error.isMissing
        }
    }
}
