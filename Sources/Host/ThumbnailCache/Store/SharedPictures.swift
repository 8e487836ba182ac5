public import Media

/// Renditions and facts that several machines share, behind the cache of each machine.
///
/// They are verified in the same way as the cache's own entries, so damaged ones count as missing. A driver is safe for
/// several threads; its calls block.
public protocol SharedPictures: Sendable {
    /// The bytes stored under a name for a content; `nil` if there are none.
    ///
    /// - Throws: `unavailable` if that cannot be determined, and soon: somebody is waiting for the picture.
    func find(_ name: String, of digest: Digest) throws(Failure) -> [UInt8]?

    /// Stores bytes for all machines, in place of earlier ones under the name.
    ///
    /// - Throws: `unavailable`.
    func keep(_ bytes: [UInt8], as name: String, of digest: Digest) throws(Failure)

    /// Tests whether pictures can be stored now. The test leaves no trace among the contents.
    ///
    /// - Throws: `unavailable`, and soon.
    func probe() throws(Failure)

    /// Removes a content.
    ///
    /// - Throws: `unavailable`.
    func remove(_ digest: Digest) throws(Failure)

    /// Some of the contents of which anything is stored, and possibly some whose last file was just removed.
    ///
    /// - Parameter place: `next` of the previous call; `nil` for the first contents.
    /// - Returns: the contents, and where the list continues; `nil` at its end.
    /// - Throws: `unavailable`.
    func contents(from place: String?) throws(Failure) -> (digests: [Digest], next: String?)
}

/// What this machine's cache has and others lack, and vice versa.
extension FolderCache {
    /// Stores a rendition for other machines. Skips a rendition that this cache does not have.
    ///
    /// - Throws: `unavailable`.
    func share(_ recipe: Recipe, of digest: Digest, in shared: any SharedPictures) throws(Failure) {
        guard case .hit(let stored) = lookup(.digest(digest), recipe: recipe, currentBuild: { nil }) else { return }
        let packed = PackedRendition.bytes(of: stored.rendition, recipe, created: folder.now())
        try shared.keep(packed, as: Self.pictureName(recipe), of: digest)
    }

    /// Stores facts for other machines.
    ///
    /// - Throws: `unavailable`.
    func share(_ facts: StoredFacts, of digest: Digest, in shared: any SharedPictures) throws(Failure) {
        try shared.keep(SealedRecord.bytes(of: facts.json), as: Self.factsName, of: digest)
    }

    /// A rendition that another machine has stored; `nil` if there is none, or none that is intact.
    ///
    /// - Throws: `unavailable`.
    func find(_ recipe: Recipe, of digest: Digest, in shared: any SharedPictures) throws(Failure) -> Rendition? {
        try shared.find(Self.pictureName(recipe), of: digest).flatMap { PackedRendition.rendition(in: $0, recipe) }
    }

    /// Facts that another machine has stored; `nil` if there are none, or none that are intact.
    ///
    /// - Throws: `unavailable`.
    func findFacts(of digest: Digest, in shared: any SharedPictures) throws(Failure) -> StoredFacts? {
        try shared.find(Self.factsName, of: digest).flatMap { SealedRecord.object(in: $0) }
            .flatMap(StoredFacts.init(json:))
    }

    /// Takes over a rendition that another machine has stored.
    ///
    /// - Returns: `nil` if there is none, or none that is intact.
    /// - Throws: `unavailable`.
    public func take(
        _ recipe: Recipe, of digest: Digest, from shared: any SharedPictures
    ) throws(Failure) -> StoredRendition? {
        guard let rendition = try find(recipe, of: digest, in: shared) else { return nil }
        return try store(rendition, for: .digest(digest), recipe: recipe)
    }

    /// Takes over facts that another machine has stored.
    ///
    /// - Returns: `nil` if there are none, or none that are intact.
    /// - Throws: `unavailable`.
    public func takeFacts(of digest: Digest, from shared: any SharedPictures) throws(Failure) -> StoredFacts? {
        guard let facts = try findFacts(of: digest, in: shared) else { return nil }
        try storeFacts(facts, for: .digest(digest))
        return facts
    }

    private static func pictureName(_ recipe: Recipe) -> String { SharedPictureFile.renditionName(recipe) }

    private static let factsName = SharedPictureFile.factsName
}

/// A rendition with its record as one byte sequence: the record's length in four bytes, the record, the rendition.
enum PackedRendition {
    static func bytes(of rendition: Rendition, _ recipe: Recipe, created: Int64) -> [UInt8] {
        let record = EntryRecord.rendition(RenditionRecord(of: rendition, created: created)).bytes(
            recipe: recipe.canonical)
        let count = UInt32(record.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + record + rendition.bytes
    }

    /// The rendition of a recipe; `nil` if the bytes are damaged, or belong to another recipe.
    static func rendition(in bytes: [UInt8], _ recipe: Recipe) -> Rendition? {
        guard let (record, canonical, bytes) = parts(of: bytes), canonical == recipe.canonical else { return nil }
        return record.rendition(of: bytes)
    }

    /// The record, the canonical form of its recipe, and the rendition's bytes, which are not yet verified against the
    /// record; `nil` if the record is damaged.
    static func parts(of bytes: [UInt8]) -> (record: RenditionRecord, canonical: String, rendition: [UInt8])? {
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 4 + count, count <= SealedRecord.longest,
            let (record, canonical) = EntryRecord.parse(Array(bytes[4..<4 + count])),
            case .rendition(let record) = record
        else { return nil }
        return (record, canonical, Array(bytes[(4 + count)...]))
    }
}
