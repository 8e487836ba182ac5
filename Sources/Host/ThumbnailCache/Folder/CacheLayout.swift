internal import Media

/// The names of files and folders in a cache.
///
/// They consist of digests, stat keys, recipe names (`[a-z0-9-]`) and the words here; no part of a name comes from
/// outside the project.
package enum CacheLayout {
    /// Entries by digest; the number increases when the format of an entry changes.
    static let entries = "v1"
    /// Entries by stat key: for this machine and user.
    static let local = "local"
    /// The stat index.
    static let stat = "stat"
    /// Locks of single flight and of the collection.
    package static let locks = "locks"
    /// Files that are being written.
    static let temporary = "tmp"
    /// Files that are being written for the private folders: nobody else may read them before they are in place either.
    static let privateTemporary = "local/tmp"
    /// The file with one byte for each stored block of 4 KiB.
    static let usage = "usage"
    /// The record of the last collection's count.
    static let collection = "gc.json"
    /// The file with one byte for each damaged record or rendition that a lookup found.
    static let damaged = "damaged"
    /// The tag that tells backup programs to omit the folder (https://bford.info/cachedir/).
    static let tag = "CACHEDIR.TAG"

    static let factsName = "facts.json"
    static let recordSuffix = ".json"
    static let lockSuffix = ".lock"
    static let collectionLock = "collection.lock"

    /// The folders that only their owner may enter: their entries reveal which files the owner has.
    static let privateFolders: Set<String> = [local, stat]

    /// The folder in which a file for `place` is written.
    static func temporaryFolder(for place: String) -> String {
        privateFolders.contains { place.hasPrefix("\($0)/") } ? privateTemporary : temporary
    }

    /// `ab/cd/abcd…`: no folder above the entries' own has more than 256 items.
    static func fannedOut(_ hex: String) -> String { "\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)" }
}

// A collection removes only files with names that the cache creates: each folder's names have one form.
extension CacheLayout {
    /// A name in `tmp/`: the 16 random digits of `CacheFolder.stage`.
    static func isTemporary(_ name: String) -> Bool { isHex(name, count: 16) }

    /// A name in `locks/`: the collection's, or `v1-<digest>-<recipe>.lock`.
    static func isLock(_ name: String) -> Bool {
        if name == collectionLock { return true }
        guard name.hasSuffix(lockSuffix) else { return false }
        let parts = name.dropLast(lockSuffix.count).split(
            separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && [entries, local].contains(String(parts[0])) && isHex(parts[1], count: 64)
            && isRecipe(parts[2])
    }

    /// A name in a folder of the stat index.
    static func isStatEntry(_ name: String) -> Bool {
        name.hasSuffix(recordSuffix) && isHex(name.dropLast(recordSuffix.count), count: 64)
    }

    /// The folder beside the fanned-out ones in a folder of entries, if there is one.
    static func ownFolder(in top: String) -> String? {
        privateTemporary.hasPrefix("\(top)/") ? String(privateTemporary.dropFirst(top.count + 1)) : nil
    }

    /// The meaning of a name in an entry's folder; `nil` if it is not one of the cache's names.
    enum EntryFile: Equatable {
        case facts
        case text(TextPart)
        /// The texts of pages starting at an index.
        case series(from: Int)
        case record(recipe: String)
        case rendition(recipe: String)

        init?(_ name: String) {
            if name == CacheLayout.factsName {
                self = .facts
                return
            }
            if let part = CacheLayout.part(ofText: name) {
                self = .text(part)
                return
            }
            if let start = CacheLayout.start(ofSeries: name) {
                self = .series(from: start)
                return
            }
            let recipe = name.prefix { $0 != "." }
            guard CacheLayout.isRecipe(recipe) else { return nil }
            let suffix = name.dropFirst(recipe.count)
            if suffix == CacheLayout.recordSuffix {
                self = .record(recipe: String(recipe))
            } else if RenditionFormat.allCases.contains(where: { suffix == ".\($0.fileExtension)" }) {
                self = .rendition(recipe: String(recipe))
            } else {
                return nil
            }
        }
    }

    /// The name of a text beside the recipes' names: `text-p17` for a page, `text` for a document. No recipe's name has
    /// this form, because recipe names end with eight hexadecimal digits.
    static func textName(_ part: TextPart) -> String {
        switch part {
        case .page(let index): "\(textPrefix)\(index + 1)"
        case .document: wholeText
        }
    }

    /// The name of a text's record: `text-p17.json`, `text.json`.
    static func textRecordName(_ part: TextPart) -> String { textName(part) + recordSuffix }

    /// The name of the record of several pages' texts: `texts-p129.json` for the pages from 129 on.
    static func seriesRecordName(from start: Int) -> String { "\(seriesPrefix)\(start + 1)\(recordSuffix)" }

    private static let textPrefix = "text-p"
    private static let seriesPrefix = "texts-p"
    private static let wholeText = "text"

    private static func part(ofText name: String) -> TextPart? {
        guard name.hasSuffix(recordSuffix) else { return nil }
        let stem = name.dropLast(recordSuffix.count)
        if stem == wholeText { return .document }
        guard stem.hasPrefix(textPrefix), let number = Int(stem.dropFirst(textPrefix.count)), number >= 1 else {
            return nil
        }
        let part = TextPart.page(number - 1)
        return name == textRecordName(part) ? part : nil
    }

    private static func start(ofSeries name: String) -> Int? {
        guard name.hasPrefix(seriesPrefix), name.hasSuffix(recordSuffix),
            let number = Int(name.dropFirst(seriesPrefix.count).dropLast(recordSuffix.count)), number >= 1,
            StoredSeries.start(of: number - 1) == number - 1, name == seriesRecordName(from: number - 1)
        else { return nil }
        return number - 1
    }

    /// A recipe's name: `[a-z0-9-]`.
    static func isRecipe(_ name: some StringProtocol) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Whether a name is exactly this many lower-case hexadecimal digits.
    static func isHex(_ name: some StringProtocol, count: Int) -> Bool {
        name.utf8.count == count && name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
