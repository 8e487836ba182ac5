internal import Linux
internal import Media

/// A file in a cache that differs from what was stored.
public struct CacheDamage: Hashable, Sendable {
    /// Below the cache's folder.
    public let place: String
    /// What is wrong with it, in words.
    public let reason: String
}

extension FolderCache {
    /// Reads every record and rendition, and compares each with its checksum.
    ///
    /// - Parameter repair: removes damaged files, so that they are made again on the next request. Files that do not
    ///   belong to the cache are listed and stay.
    public func verify(repair: Bool = false) -> [CacheDamage] {
        var verification = Verification(folder: folder, repairs: repair)
        let scan = EntryScan(folder: folder)
        _ = scan.entries { verification.verify($0) }
        _ = scan.statEntries { place, _ in verification.verifyRecord(place) }
        return verification.damages
    }
}

/// One verification of a cache.
private struct Verification {
    let folder: CacheFolder
    let repairs: Bool
    var damages: [CacheDamage] = []

    mutating func verify(_ entry: EntryScan.Entry) {
        if let facts = entry.facts { verifyRecord("\(entry.place)/\(facts.name)") }
        for text in entry.texts {
            let place = "\(entry.place)/\(text.name)"
            if case .series(let start) = CacheLayout.EntryFile(text.name) {
                verifyRecord(place, limit: SealedRecord.longestText) { StoredSeries(from: start, $0).isWhole }
            } else {
                verifyRecord(place, limit: SealedRecord.longestText)
            }
        }
        for (_, recipe) in entry.recipes.sorted(by: { $0.key < $1.key }) { verify(recipe, in: entry.place) }
        for file in entry.foreign { note("\(entry.place)/\(file.name)", "not a cache file") }
    }

    /// Checks a stand-alone record.
    mutating func verifyRecord(
        _ place: String, limit: Int = SealedRecord.longest,
        isSound: ([UInt8]) -> Bool = { SealedRecord.object(in: $0) != nil }
    ) {
        switch read(place, limit: limit) {
        case .failure(let error): note(place, error, removing: [place])
        case .success(let bytes):
            if !isSound(bytes) { note(place, "its check fails", removing: [place]) }
        case nil: break
        }
    }

    private mutating func verify(_ recipe: EntryScan.RecipeFiles, in entry: String) {
        guard let record = recipe.record else { return verify(orphans: recipe.renditions, in: entry) }
        let place = "\(entry)/\(record.name)"
        switch read(place, limit: SealedRecord.longest) {
        case nil: break
        case .failure(let error): note(place, error, removing: [place])
        case .success(let bytes):
            switch EntryRecord.parse(bytes)?.record {
            case nil:
                note(place, "its check fails", removing: [place] + recipe.renditions.map { "\(entry)/\($0.name)" })
            case .failure: break
            case .rendition(let content): verify(content, of: place, bytes)
            }
        }
    }

    /// A rendition without a record is about to get one, or its writer has died.
    private mutating func verify(orphans: [EntryScan.File], in entry: String) {
        for file in orphans where folder.now() - file.lastChange > Collector.leftoverAge {
            note("\(entry)/\(file.name)", "it has no record", removing: ["\(entry)/\(file.name)"])
        }
    }

    private mutating func verify(_ record: RenditionRecord, of recordPlace: String, _ recordBytes: [UInt8]) {
        let place = "\(recordPlace.dropLast(CacheLayout.recordSuffix.count)).\(record.format.fileExtension)"
        let reason: String
        switch read(place, limit: record.byteCount) {
        case .success(let bytes):
            if record.rendition(of: bytes) != nil { return }
            reason = bytes.count < record.byteCount ? "it is cut short" : "its checksum differs"
        case .failure(let error): reason = error
        case nil: reason = "it is missing"
        }
        // A writer or a collection that intervened has left another record, or none.
        guard case .success(recordBytes) = read(recordPlace, limit: SealedRecord.longest) else { return }
        note(place, reason, removing: [recordPlace, place])
    }

    /// The file's bytes, or what is wrong; `nil` if it no longer exists.
    private func read(_ place: String, limit: Int) -> Reading? {
        do throws(SystemError) {
            return .success(try folder.files.read(place, in: folder.root, limit: limit).bytes)
        } catch {
            return error.isMissing ? nil : .failure(error.isTooLong ? "it is too long" : "\(error)")
        }
    }

    private enum Reading {
        case success([UInt8])
        case failure(String)
    }

    private mutating func note(_ place: String, _ reason: String, removing places: [String] = []) {
        damages.append(CacheDamage(place: place, reason: reason))
        guard repairs, let last = places.last else { return }
        for place in places { try? folder.files.remove(place, in: folder.root) }
        folder.removeEmptyFolders(from: CacheFolder.folder(of: last))
    }
}
