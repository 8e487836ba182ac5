internal import Linux
internal import Media

/// A walk over what lies in a cache, entry by entry; what vanishes meanwhile is left out.
struct EntryScan {
    let folder: CacheFolder

    /// A file as the walk met it.
    struct File {
        let name: String
        let status: FileStatus

        /// The later of both times: renaming moves the time of change, so that a file counts as young once it has its place.
        var lastChange: Int64 { max(status.modified, status.changed) }
    }

    /// One source's folder.
    struct Entry {
        /// Absolute.
        let path: String
        let isLocal: Bool
        var facts: File?
        /// Everything else that belongs here, by recipe name.
        var recipes: [String: Recipe] = [:]
        var foreign: [File] = []
        /// Of the folder itself.
        let byteCount: Int64
    }

    /// What lies in an entry for one recipe.
    struct Recipe {
        var record: File?
        /// One, as a rule; more where a newer build chose another format.
        var renditions: [File] = []
    }

    /// Calls `body` with every entry, and sums up what folders above them take.
    func entries(_ body: (Entry) -> Void) -> Int64 {
        var byteCount: Int64 = 0
        for top in [Layout.entries, Layout.local] {
            for outer in folders(in: folder.path(top), hexCount: 2) {
                byteCount += outer.byteCount
                for inner in folders(in: outer.path, hexCount: 2) {
                    byteCount += inner.byteCount
                    for entry in folders(in: inner.path, hexCount: 64) {
                        body(scan(entry, isLocal: top == Layout.local))
                    }
                }
            }
        }
        return byteCount
    }

    /// Calls `body` with the path of every entry of the stat index, and sums up what their folders take.
    func statEntries(_ body: (_ path: String, File) -> Void) -> Int64 {
        var byteCount: Int64 = 0
        for outer in folders(in: folder.path(Layout.stat), hexCount: 2) {
            byteCount += outer.byteCount
            for file in files(in: outer.path) where file.name.hasSuffix(Layout.recordSuffix) {
                body("\(outer.path)/\(file.name)", file)
            }
        }
        return byteCount
    }

    /// The regular files in a folder.
    func files(in path: String) -> [File] {
        names(in: path).compactMap { name in
            guard let status = try? folder.files.status(of: "\(path)/\(name)"), status.isRegularFile else { return nil }
            return File(name: name, status: status)
        }
    }

    private func names(in path: String) -> [String] { ((try? folder.files.names(in: path)) ?? []).sorted() }

    /// The folders whose names are so many lower-case hexadecimal digits: what else lies there is none of ours.
    private func folders(in path: String, hexCount: Int) -> [(path: String, byteCount: Int64)] {
        names(in: path).compactMap { name in
            guard name.utf8.count == hexCount, name.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
                let status = try? folder.files.status(of: "\(path)/\(name)"), status.isDirectory
            else { return nil }
            return ("\(path)/\(name)", status.allocatedByteCount)
        }
    }

    private func scan(_ found: (path: String, byteCount: Int64), isLocal: Bool) -> Entry {
        var entry = Entry(path: found.path, isLocal: isLocal, byteCount: found.byteCount)
        for file in files(in: found.path) {
            let recipe = String(file.name.prefix { $0 != "." })
            if file.name == Layout.factsName {
                entry.facts = file
            } else if file.name.hasSuffix(Layout.recordSuffix) {
                entry.recipes[recipe, default: Recipe()].record = file
            } else if RenditionFormat.allCases.contains(where: { file.name.hasSuffix(".\($0.fileExtension)") }) {
                entry.recipes[recipe, default: Recipe()].renditions.append(file)
            } else {
                entry.foreign.append(file)
            }
        }
        return entry
    }
}

extension EntryScan.Entry {
    /// Every file that belongs to the entry.
    var files: [EntryScan.File] {
        recipes.values.flatMap { ($0.record.map { [$0] } ?? []) + $0.renditions } + (facts.map { [$0] } ?? [])
    }

    /// What the entry takes on disk, its folder included.
    var allocatedByteCount: Int64 {
        files.reduce(foreign.reduce(byteCount) { $0 + $1.status.allocatedByteCount }) {
            $0 + $1.status.allocatedByteCount
        }
    }
}
