internal import Linux
internal import Media

/// A file in a cache that is not what was stored.
public struct Damage: Hashable, Sendable {
    /// Below the cache's folder.
    public let place: String
    public let reason: String
}

extension FolderCache {
    /// Reads every record and rendition, and compares each with its checksum.
    ///
    /// - Parameter repair: removes what is damaged, so that it is made again when it is next asked for. What bears a name
    ///   that is none of the cache's is listed and stays.
    public func verify(repair: Bool = false) -> [Damage] {
        var verification = Verification(folder: folder, repairs: repair)
        let scan = EntryScan(folder: folder)
        _ = scan.entries { verification.verify($0) }
        _ = scan.statEntries { path, _ in verification.verifyRecord(path) }
        return verification.damages
    }
}

/// One verification of a cache.
private struct Verification {
    let folder: CacheFolder
    let repairs: Bool
    var damages: [Damage] = []

    mutating func verify(_ entry: EntryScan.Entry) {
        if let facts = entry.facts { verifyRecord("\(entry.path)/\(facts.name)") }
        for (_, recipe) in entry.recipes.sorted(by: { $0.key < $1.key }) { verify(recipe, in: entry.path) }
        for file in entry.foreign { note("\(entry.path)/\(file.name)", "no file of the cache's") }
    }

    /// Checks a record that stands alone.
    mutating func verifyRecord(_ path: String) {
        switch read(path, limit: SealedRecord.longest) {
        case .failure(let error): note(path, error, removing: [path])
        case .success(let bytes):
            if SealedRecord.object(in: bytes) == nil { note(path, "its check fails", removing: [path]) }
        case nil: break
        }
    }

    private mutating func verify(_ recipe: EntryScan.Recipe, in entry: String) {
        guard let record = recipe.record else { return verify(orphans: recipe.renditions, in: entry) }
        let path = "\(entry)/\(record.name)"
        switch read(path, limit: SealedRecord.longest) {
        case nil: break
        case .failure(let error): note(path, error, removing: [path])
        case .success(let bytes):
            switch EntryRecord.parse(bytes)?.record {
            case nil: note(path, "its check fails", removing: [path] + recipe.renditions.map { "\(entry)/\($0.name)" })
            case .failure: break
            case .rendition(let content): verify(content, of: path, bytes)
            }
        }
    }

    /// A rendition without a record is about to get one, or its writer has died.
    private mutating func verify(orphans: [EntryScan.File], in entry: String) {
        for file in orphans where folder.now() - file.lastChange > Collector.leftoverAge {
            note("\(entry)/\(file.name)", "no record stands beside it", removing: ["\(entry)/\(file.name)"])
        }
    }

    private mutating func verify(_ record: RenditionRecord, of recordPath: String, _ recordBytes: [UInt8]) {
        let path = recordPath.dropLast(Layout.recordSuffix.count) + "." + record.format.fileExtension
        let reason: String
        switch read(String(path), limit: record.byteCount) {
        case .success(let bytes):
            if record.rendition(of: bytes) != nil { return }
            reason = bytes.count < record.byteCount ? "it is cut short" : "its checksum differs"
        case .failure(let error): reason = error
        case nil: reason = "it is missing"
        }
        // A writer or a collection that came in between has left another record, or none.
        guard case .success(recordBytes) = read(recordPath, limit: SealedRecord.longest) else { return }
        note(String(path), reason, removing: [recordPath, String(path)])
    }

    /// The file's bytes, or what is wrong; `nil` where it is gone.
    private func read(_ path: String, limit: Int) -> Reading? {
        do throws(SystemError) {
            return .success(try folder.files.read(path, limit: limit).bytes)
        } catch {
            return error.isMissing ? nil : .failure(error.isTooLong ? "it is too long" : "\(error)")
        }
    }

    private enum Reading {
        case success([UInt8])
        case failure(String)
    }

    private mutating func note(_ path: String, _ reason: String, removing paths: [String] = []) {
        damages.append(Damage(place: String(path.dropFirst(folder.path.utf8.count + 1)), reason: reason))
        guard repairs, let last = paths.last else { return }
        for path in paths { try? folder.files.remove(path) }
        folder.removeEmptyFolders(from: CacheFolder.parent(of: last))
    }
}
