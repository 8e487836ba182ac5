/// The names of what lies in a cache's folder. Nothing from outside the project is ever part of one: only digests, stat
/// keys, recipes' names (`[a-z0-9-]`) and the words here.
package enum Layout {
    /// Entries under digests; the number grows when an entry's form changes.
    static let entries = "v1"
    /// Entries under stat keys: this machine's and user's.
    static let local = "local"
    /// The stat index.
    static let stat = "stat"
    /// Locks of single flight and of the collection.
    package static let locks = "locks"
    /// What is being written.
    static let temporary = "tmp"
    /// What is being written for the private folders: nobody else may read it before it is in its place either.
    static let privateTemporary = "local/tmp"
    /// One byte for each block of 4 KiB stored.
    static let usage = "usage"
    /// What the last collection counted.
    static let collection = "gc.json"
    /// One byte for each damaged record or rendition that a lookup met.
    static let damaged = "damaged"
    /// What tells backup programs to leave the folder out (https://bford.info/cachedir/).
    static let tag = "CACHEDIR.TAG"

    static let factsName = "facts.json"
    static let recordSuffix = ".json"

    /// The folders that only their owner may enter: they tell which files somebody has.
    static let privateFolders: Set<String> = [local, stat]

    /// The folder in which a file for `place` is written.
    static func temporaryFolder(for place: String) -> String {
        privateFolders.contains { place.hasPrefix("\($0)/") } ? privateTemporary : temporary
    }

    /// `ab/cd/abcd…`: at most 256 names a folder until 65,536 entries stand.
    static func fannedOut(_ hex: String) -> String { "\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)" }
}
