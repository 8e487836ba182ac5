internal import Linux
public import Media

extension FolderCache {
    /// Moves the entry under a stat key to the digest of the same file. If the digest's entry already has a rendition,
    /// that one stays.
    ///
    /// - Throws: `unavailable`; each recipe is then under one key or the other, or a miss.
    public func promote(_ key: StatKey, to digest: Digest) throws(Failure) {
        let source = SourceKey.local(key).folder
        let target = SourceKey.digest(digest).folder
        try folder.attempt("written") { () throws(SystemError) in
            do throws(SystemError) {
                // Checked first, so that a source without an entry creates no folders.
                _ = try folder.files.status(of: source, in: folder.root)
                // As a whole and at once, if the digest has no entry yet.
                try folder.makingFolders(of: target) { () throws(SystemError) in
                    try folder.files.rename(source, in: folder.root, to: target)
                }
            } catch {
                if error.isMissing { return }
                guard error.isNotEmpty else { throw error }
                try merge(source, into: target)
            }
        }
    }

    /// Moves the files that the target lacks, renditions before their records, and removes the rest.
    private func merge(_ source: String, into target: String) throws(SystemError) {
        let taken = Set(try folder.files.contents(of: target, in: folder.root).map(\.name))
        for name in try ownNames(in: source) {
            let record = "\(name.prefix { $0 != "." })\(CacheLayout.recordSuffix)"
            guard !taken.contains(record) else {
                try folder.removeIfThere("\(source)/\(name)")
                continue
            }
            do throws(SystemError) {
                try folder.files.rename("\(source)/\(name)", in: folder.root, to: "\(target)/\(name)")
            } catch {
                // Another process has moved it, or a collection has removed either folder.
                guard error.isMissing else { throw error }
            }
        }
        folder.removeEmptyFolders(from: source)
    }

    /// Removes a source: facts, renditions and failures.
    ///
    /// Removes the files of a source's entry, records first; files that do not belong to the cache stay.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: `unavailable`.
    @discardableResult
    public func purge(_ digest: Digest) throws(Failure) -> Bool {
        let entry = SourceKey.digest(digest).folder
        return try folder.attempt("written") { () throws(SystemError) in
            do throws(SystemError) {
                // Records first: readers ignore a rendition without a record.
                for name in try ownNames(in: entry).reversed() {
                    try folder.removeIfThere("\(entry)/\(name)")
                }
                folder.removeEmptyFolders(from: entry)
                return true
            } catch {
                guard error.isMissing else { throw error }
                return false
            }
        }
    }

    /// The files in an entry's folder that do not belong to the cache: a purge leaves them.
    public func foreignFiles(of digest: Digest) -> ForeignFiles {
        let entry = SourceKey.digest(digest).folder
        var foreign = ForeignFiles()
        for item in (try? folder.files.contents(of: entry, in: folder.root)) ?? [] where !item.isOwn {
            foreign.note(folder.path("\(entry)/\(item.name)"))
        }
        return foreign
    }

    /// The names of the cache's own files in an entry's folder, records last.
    private func ownNames(in entry: String) throws(SystemError) -> [String] {
        try folder.files.contents(of: entry, in: folder.root).filter(\.isOwn).map(\.name).sorted(by: Self.recordsLast)
    }

    private static func recordsLast(_ first: String, _ second: String) -> Bool {
        let isRecord = (first.hasSuffix(CacheLayout.recordSuffix), second.hasSuffix(CacheLayout.recordSuffix))
        return isRecord.0 == isRecord.1 ? first < second : isRecord.1
    }
}

extension CacheFolder {
    /// Removes an entry's folder and the two above it if they are empty: the kernel refuses the others.
    func removeEmptyFolders(from entry: String) {
        var folder = entry
        for _ in 0..<3 {
            guard (try? files.removeFolder(folder, in: root)) != nil else { return }
            folder = Self.folder(of: folder)
        }
    }
}

extension FolderItem {
    /// Whether this is a file that an entry may contain.
    fileprivate var isOwn: Bool { status.isRegularFile && CacheLayout.EntryFile(name) != nil }
}
