internal import Linux
internal import Media

/// A cache's folder: files that appear complete or not at all, and the small counters beside them.
///
/// Nothing is synced to the disk. After a power failure a file may be torn; its check or checksum shows that, and it is
/// made again.
struct CacheFolder: Sendable {
    let root: CacheRoot
    let files: any FileSystem
    /// Wall-clock time in nanoseconds since 1970.
    let now: @Sendable () -> Int64

    /// Without a trailing slash.
    var path: String { root.path }

    /// The path of a place below the folder: for people, never to be opened.
    func path(_ place: String) -> String { "\(path)/\(place)" }

    /// Runs `body`, and turns the kernel's error into a failure that states the remedy.
    func attempt<Value>(
        _ purpose: String, _ body: () throws(SystemError) -> Value
    ) throws(Failure) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Failure(.unavailable, cache: path, purpose: purpose, error)
        }
    }
}

extension CacheFolder {
    /// Writes a file under a unique name in `tmp/`, from which `commit` moves it to its place.
    func stage(_ bytes: [UInt8], for place: String) throws(SystemError) -> StagedFile {
        let name = Hex.string(withUnsafeBytes(of: UInt64.random(in: .min ... .max).bigEndian, Array.init))
        let file = StagedFile(temporary: "\(CacheLayout.temporaryFolder(for: place))/\(name)", place: place)
        do throws(SystemError) {
            try makingFolders(of: file.temporary) { () throws(SystemError) in
                try files.create(file.temporary, in: root, bytes)
            }
            return file
        } catch {
            discard(file)
            throw error
        }
    }

    /// Renames a staged file to its place, over an older one; readers see either the old file or the new one.
    func commit(_ file: StagedFile) throws(SystemError) {
        try makingFolders(of: file.place) { () throws(SystemError) in
            try files.rename(file.temporary, in: root, to: file.place)
        }
    }

    func discard(_ file: StagedFile) { try? files.remove(file.temporary, in: root) }

    /// Removes a file, which another process may have removed already.
    func removeIfThere(_ place: String) throws(SystemError) {
        do throws(SystemError) {
            try files.remove(place, in: root)
        } catch {
            guard error.isMissing else { throw error }
        }
    }

    /// Writes a file at its place, complete or not at all.
    func write(_ bytes: [UInt8], to place: String) throws(SystemError) {
        let file = try stage(bytes, for: place)
        do throws(SystemError) {
            try commit(file)
        } catch {
            discard(file)
            throw error
        }
    }

    /// A collection may remove an empty folder between its creation and its use, so creating it is retried.
    private static let folderTries = 32

    /// Runs `body`, and again after creating missing folders above a file at `place`.
    func makingFolders(of place: String, _ body: () throws(SystemError) -> Void) throws(SystemError) {
        for _ in 1..<Self.folderTries {
            do throws(SystemError) {
                return try body()
            } catch {
                guard error.isMissing else { throw error }
                try makeFolder(Self.folder(of: place))
            }
        }
        try body()
    }

    /// Creates a folder below the cache's, and the folders above it; a failure shows when the folder is used.
    func prepareFolder(_ place: String) { try? makeFolder(place) }

    /// Creates the cache's folder and the folders above it.
    func makeFolder() throws(SystemError) { if try files.makeRoot(root) { tag() } }

    /// Creates a folder and the folders above it.
    private func makeFolder(_ place: String, attempts: Int = 16) throws(SystemError) {
        if place.isEmpty { return try makeFolder() }
        do throws(SystemError) {
            try makeLastFolder(of: place)
        } catch {
            // A collection may remove the parent again, but not forever.
            guard error.isMissing, attempts > 0 else { throw error }
            try makeFolder(Self.folder(of: place))
            try makeFolder(place, attempts: attempts - 1)
        }
    }

    private func makeLastFolder(of place: String) throws(SystemError) {
        do throws(SystemError) {
            try files.makeFolder(place, in: root, isPrivate: CacheLayout.privateFolders.contains(place))
        } catch {
            guard error.isTaken else { throw error }
        }
    }

    /// Marks a new cache for backups and archives, which may omit it (https://bford.info/cachedir/).
    private func tag() {
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This file is a cache directory tag created by Compass Media.
            # For information about cache directory tags, see https://bford.info/cachedir/

            """
        // The cache works without the tag.
        try? files.create(CacheLayout.tag, in: root, Array(text.utf8))
    }

    /// The place of the folder around a place; empty for the cache's own.
    static func folder(of place: String) -> String {
        place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension CacheFolder {
    /// A sealed record's object; `nil` if it is missing or damaged. Records the use, and counts damage.
    func record(at place: String, limit: Int = SealedRecord.longest) -> JSON? {
        do throws(SystemError) {
            let contents = try files.read(place, in: root, limit: limit)
            if let object = SealedRecord.object(in: contents.bytes) {
                noteUse(of: place, lastUse: contents.status.accessed)
                return object
            }
            countDamage()
        } catch {
            if !error.isAbsence { countDamage() }
        }
        return nil
    }

    /// Counts one damaged file, if the folder can be written.
    func countDamage() {
        try? files.append([UInt8(ascii: ".")], to: CacheLayout.damaged, in: root)
    }

    /// Access times are updated at most hourly, so that reading does not become writing.
    private static let touchInterval: Int64 = 3600 * 1_000_000_000

    /// Records that a file was used, for the order of eviction.
    func noteUse(of place: String, lastUse: Int64) {
        let now = now()
        guard now - lastUse > Self.touchInterval else { return }
        // If this user may only read, the order stays unchanged.
        try? files.touch(place, in: root, accessed: now)
    }
}

/// A file in `tmp/`: to be committed or discarded.
struct StagedFile {
    /// Where it was written, below the cache's folder.
    let temporary: String
    /// Where it belongs, below the cache's folder.
    let place: String
}
