internal import Linux
public import Media

extension FolderCache {
    public func promote(_ key: StatKey, to digest: Digest) throws(Failure) {
        let source = folder.path(SourceKey.local(key).folder)
        let target = folder.path(SourceKey.digest(digest).folder)
        try folder.attempt("written") { () throws(SystemError) in
            do throws(SystemError) {
                // Asked first, so that a source without an entry makes no folders.
                _ = try folder.files.status(of: source)
                // Whole and at once, where the digest has no entry yet.
                try folder.makingFolders(of: target) { () throws(SystemError) in
                    try folder.files.rename(source, to: target)
                }
            } catch {
                if error.isMissing { return }
                guard error.isNotEmpty else { throw error }
                try merge(source, into: target)
            }
        }
    }

    /// Moves what the target does not have, renditions before their records, and removes the rest.
    private func merge(_ source: String, into target: String) throws(SystemError) {
        let taken = Set(try folder.files.names(in: target))
        for name in try folder.files.names(in: source).sorted(by: Self.recordsLast) {
            let record = "\(name.prefix { $0 != "." })\(Layout.recordSuffix)"
            guard !taken.contains(record) else {
                try folder.removeIfThere("\(source)/\(name)")
                continue
            }
            do throws(SystemError) {
                try folder.files.rename("\(source)/\(name)", to: "\(target)/\(name)")
            } catch {
                // Somebody else has moved it, or a collection has taken either folder.
                guard error.isMissing else { throw error }
            }
        }
        folder.removeEmptyFolders(from: source)
    }

    @discardableResult
    public func purge(_ digest: Digest) throws(Failure) -> Bool {
        let entry = folder.path(SourceKey.digest(digest).folder)
        return try folder.attempt("written") { () throws(SystemError) in
            do throws(SystemError) {
                // Records first: a rendition without one is nothing to any reader.
                for name in try folder.files.names(in: entry).sorted(by: Self.recordsLast).reversed() {
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

    private static func recordsLast(_ first: String, _ second: String) -> Bool {
        let isRecord = (first.hasSuffix(Layout.recordSuffix), second.hasSuffix(Layout.recordSuffix))
        return isRecord.0 == isRecord.1 ? first < second : isRecord.1
    }
}

extension CacheFolder {
    /// Removes an entry's folder and the two above it, as far as they are empty: the kernel refuses the others.
    func removeEmptyFolders(from entry: String) {
        var folder = entry
        for _ in 0..<3 {
            guard (try? files.removeFolder(folder)) != nil else { return }
            folder = Self.parent(of: folder)
        }
    }
}
