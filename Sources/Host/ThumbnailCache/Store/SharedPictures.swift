public import Media

/// Renditions and facts that several machines share, behind the cache that each of them has.
///
/// What is found is verified as the cache's own entries are, so damage is the same as nothing. A driver is safe for several threads; its
/// calls block.
public protocol SharedPictures: Sendable {
    /// What was kept under a name for a content; `nil` where there is nothing.
    ///
    /// - Throws: `unavailable` where that cannot be told, and soon: somebody waits for the picture.
    func find(_ name: String, of digest: Digest) throws(Failure) -> [UInt8]?

    /// Keeps bytes for all machines, in place of earlier ones under the name.
    ///
    /// - Throws: `unavailable`.
    func keep(_ bytes: [UInt8], as name: String, of digest: Digest) throws(Failure)

    /// Finds out whether pictures can be kept now. Nothing of it shows among the contents.
    ///
    /// - Throws: `unavailable`, and soon.
    func probe() throws(Failure)

    /// Forgets a content.
    ///
    /// - Throws: `unavailable`.
    func remove(_ digest: Digest) throws(Failure)

    /// Some of the contents of which anything is kept, and perhaps some of which the last was just removed.
    ///
    /// - Parameter place: `next` of the call before; `nil` for the first ones.
    /// - Returns: the contents, and where the list goes on; `nil` at its end.
    /// - Throws: `unavailable`.
    func contents(from place: String?) throws(Failure) -> (digests: [Digest], next: String?)
}

/// What this machine's cache has and others lack, and the other way round.
extension FolderCache {
    /// Keeps a rendition for other machines. One that this cache does not have is left out.
    ///
    /// - Throws: `unavailable`.
    func share(_ recipe: Recipe, of digest: Digest, in shared: any SharedPictures) throws(Failure) {
        guard case .hit(let stored) = lookup(.digest(digest), recipe: recipe, currentBuild: { nil }) else { return }
        let packed = PackedRendition.bytes(of: stored.rendition, recipe, created: folder.now())
        try shared.keep(packed, as: Self.pictureName(recipe), of: digest)
    }

    /// Keeps facts for other machines.
    ///
    /// - Throws: `unavailable`.
    func share(_ facts: StoredFacts, of digest: Digest, in shared: any SharedPictures) throws(Failure) {
        try shared.keep(SealedRecord.bytes(of: facts.json), as: Self.factsName, of: digest)
    }

    /// A rendition that another machine has kept; `nil` where there is none, or none that is whole.
    ///
    /// - Throws: `unavailable`.
    func find(_ recipe: Recipe, of digest: Digest, in shared: any SharedPictures) throws(Failure) -> Rendition? {
        try shared.find(Self.pictureName(recipe), of: digest).flatMap { PackedRendition.rendition(in: $0, recipe) }
    }

    /// Facts that another machine has kept; `nil` where there are none, or none that are whole.
    ///
    /// - Throws: `unavailable`.
    func findFacts(of digest: Digest, in shared: any SharedPictures) throws(Failure) -> StoredFacts? {
        try shared.find(Self.factsName, of: digest).flatMap { SealedRecord.object(in: $0) }
            .flatMap(StoredFacts.init(json:))
    }

    /// Takes over a rendition that another machine has kept.
    ///
    /// - Returns: `nil` where there is none, or none that is whole.
    /// - Throws: `unavailable`.
    public func take(
        _ recipe: Recipe, of digest: Digest, from shared: any SharedPictures
    ) throws(Failure) -> StoredRendition? {
        guard let rendition = try find(recipe, of: digest, in: shared) else { return nil }
        return try store(rendition, for: .digest(digest), recipe: recipe)
    }

    /// Takes over facts that another machine has kept.
    ///
    /// - Returns: `nil` where there are none, or none that are whole.
    /// - Throws: `unavailable`.
    public func takeFacts(of digest: Digest, from shared: any SharedPictures) throws(Failure) -> StoredFacts? {
        guard let facts = try findFacts(of: digest, in: shared) else { return nil }
        try storeFacts(facts, for: .digest(digest))
        return facts
    }

    private static func pictureName(_ recipe: Recipe) -> String { SharedPictureFile.renditionName(recipe) }

    private static let factsName = SharedPictureFile.factsName
}

/// A rendition with its record as one run of bytes: the record's length in four bytes, the record, the rendition.
enum PackedRendition {
    static func bytes(of rendition: Rendition, _ recipe: Recipe, created: Int64) -> [UInt8] {
        let record = EntryRecord.rendition(RenditionRecord(of: rendition, created: created)).bytes(
            recipe: recipe.canonical)
        let count = UInt32(record.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + record + rendition.bytes
    }

    /// The rendition of a recipe; `nil` where the bytes are damaged, or those of another recipe.
    static func rendition(in bytes: [UInt8], _ recipe: Recipe) -> Rendition? {
        guard let (record, canonical, bytes) = parts(of: bytes), canonical == recipe.canonical else { return nil }
        return record.rendition(of: bytes)
    }

    /// The record, the canonical form of its recipe, and the rendition's bytes, which the record does not vouch for yet; `nil` where
    /// the record is damaged.
    static func parts(of bytes: [UInt8]) -> (record: RenditionRecord, canonical: String, rendition: [UInt8])? {
        let count = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 4 + count, count <= SealedRecord.longest,
            let (record, canonical) = EntryRecord.parse(Array(bytes[4..<4 + count])),
            case .rendition(let record) = record
        else { return nil }
        return (record, canonical, Array(bytes[(4 + count)...]))
    }
}
