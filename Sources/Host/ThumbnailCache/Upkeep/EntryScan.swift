internal import Linux
internal import Media

/// A walk over a cache, entry by entry; files that disappear in the meantime are omitted.
struct EntryScan {
    let folder: CacheFolder
    /// Called with the place of each item whose name is not one of the cache's, or whose kind is not the expected one.
    var noteForeign: (_ place: String) -> Void = { _ in }

    /// A file as the walk found it.
    struct File {
        let name: String
        let status: FileStatus

        /// The later of both times: renaming updates the change time, so a file is young when it gets its place.
        var lastChange: Int64 { max(status.modified, status.changed) }
    }

    /// One source's folder.
    struct Entry {
        /// Below the cache's folder.
        let place: String
        let isLocal: Bool
        var facts: File?
        /// The records of pages' texts.
        var texts: [File] = []
        /// Everything else that belongs here, by recipe name.
        var recipes: [String: RecipeFiles] = [:]
        var foreign: [File] = []
        /// The size of the folder itself.
        let byteCount: Int64
    }

    /// The record and renditions of one recipe in an entry.
    struct RecipeFiles {
        var record: File?
        /// Usually one; more if a newer build chose another format.
        var renditions: [File] = []
    }

    /// Calls `body` with every entry; returns the size of the folders above the entries.
    func entries(_ body: (Entry) -> Void) -> Int64 {
        var byteCount: Int64 = 0
        for top in [CacheLayout.entries, CacheLayout.local] {
            for outer in folders(in: top, { CacheLayout.isHex($0, count: 2) || $0 == CacheLayout.ownFolder(in: top) }) {
                if outer.name == CacheLayout.ownFolder(in: top) { continue }
                byteCount += outer.byteCount
                for inner in folders(in: outer.place, { CacheLayout.isHex($0, count: 2) }) {
                    byteCount += inner.byteCount
                    let prefix = outer.name + inner.name
                    for entry in folders(in: inner.place, { CacheLayout.isHex($0, count: 64) && $0.hasPrefix(prefix) })
                    {
                        body(scan(entry, isLocal: top == CacheLayout.local))
                    }
                }
            }
        }
        return byteCount
    }

    /// Calls `body` with the place of every entry of the stat index; returns the size of their folders.
    func statEntries(_ body: (_ place: String, File) -> Void) -> Int64 {
        var byteCount: Int64 = 0
        for outer in folders(in: CacheLayout.stat, { CacheLayout.isHex($0, count: 2) }) {
            byteCount += outer.byteCount
            for file in files(in: outer.place, { CacheLayout.isStatEntry($0) && $0.hasPrefix(outer.name) }) {
                body("\(outer.place)/\(file.name)", file)
            }
        }
        return byteCount
    }

    /// The regular files in a folder whose names are the cache's own.
    func files(in place: String, _ isOwn: (String) -> Bool) -> [File] {
        items(in: place).compactMap { item in
            guard item.status.isRegularFile, isOwn(item.name) else {
                noteForeign("\(place)/\(item.name)")
                return nil
            }
            return File(name: item.name, status: item.status)
        }
    }

    private func items(in place: String) -> [FolderItem] {
        do throws(SystemError) {
            return try folder.files.contents(of: place, in: folder.root).sorted { $0.name < $1.name }
        } catch {
            // A link or a file in the place of a folder.
            if error.isNoFolder { noteForeign(place) }
            return []
        }
    }

    private typealias Folder = (place: String, name: String, byteCount: Int64)

    private func folders(in place: String, _ isOwn: (String) -> Bool) -> [Folder] {
        items(in: place).compactMap { item in
            guard item.status.isDirectory, isOwn(item.name) else {
                noteForeign("\(place)/\(item.name)")
                return nil
            }
            return ("\(place)/\(item.name)", item.name, item.status.allocatedByteCount)
        }
    }

    private func scan(_ found: Folder, isLocal: Bool) -> Entry {
        var entry = Entry(place: found.place, isLocal: isLocal, byteCount: found.byteCount)
        for item in items(in: found.place) {
            let file = File(name: item.name, status: item.status)
            switch CacheLayout.EntryFile(item.name) {
            case .facts? where item.status.isRegularFile: entry.facts = file
            case .text? where item.status.isRegularFile, .series? where item.status.isRegularFile:
                entry.texts.append(file)
            case .record(let recipe)? where item.status.isRegularFile:
                entry.recipes[recipe, default: RecipeFiles()].record = file
            case .rendition(let recipe)? where item.status.isRegularFile:
                entry.recipes[recipe, default: RecipeFiles()].renditions.append(file)
            default:
                entry.foreign.append(file)
                noteForeign("\(found.place)/\(item.name)")
            }
        }
        return entry
    }
}

extension EntryScan.Entry {
    /// Every file that belongs to the entry.
    var files: [EntryScan.File] {
        recipes.values.flatMap { ($0.record.map { [$0] } ?? []) + $0.renditions } + texts + (facts.map { [$0] } ?? [])
    }

    /// The entry's size on disk, including its folder.
    var allocatedByteCount: Int64 {
        files.reduce(foreign.reduce(byteCount) { $0 + $1.status.allocatedByteCount }) {
            $0 + $1.status.allocatedByteCount
        }
    }
}
