import Media
import Synchronization
import TestDeadline
import Testing
import ThumbnailCache

/// Shared pictures in memory.
final class MemoryPictures: SharedPictures {
    let kept = Mutex([String: [UInt8]]())
    private let keeps = Mutex(0)

    /// How often something was kept.
    var keepCount: Int { keeps.withLock { $0 } }

    func find(_ name: String, of digest: Digest) -> [UInt8]? { kept.withLock { $0["\(digest.hex)/\(name)"] } }

    func keep(_ bytes: [UInt8], as name: String, of digest: Digest) {
        kept.withLock { $0["\(digest.hex)/\(name)"] = bytes }
        keeps.withLock { $0 += 1 }
    }

    func probe() {}

    func remove(_ digest: Digest) {
        kept.withLock { kept in kept = kept.filter { !$0.key.hasPrefix(digest.hex) } }
    }

    func contents(from place: String?) -> (digests: [Digest], next: String?) {
        (Set(kept.withLock { $0.keys.map { $0.prefix(64) } }).compactMap { Digest(hex: String($0)) }, nil)
    }
}

@Suite("Machines share what their caches have", .deadline)
struct SharedPicturesTests {
    private let folders = try! (one: ScratchFolder(), other: ScratchFolder())
    private var one: FolderCache { FolderCache(path: folders.one.path + "/cache") }
    private var other: FolderCache { FolderCache(path: folders.other.path + "/cache") }
    private let shared = MemoryPictures()

    private func share(_ recipes: [Recipe]) throws {
        var entry = SharedEntry(of: Samples.digest(1), in: one, and: shared)
        try entry.share(recipes)
    }

    @Test("A rendition and its facts are those of the machine that made them, and hits from then on")
    func sharing() throws {
        let facts = StoredFacts(
            facts: Facts(mediaType: .jpeg, kind: .image, byteCount: 10), placeholder: "hash", build: "b")
        try one.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        try one.storeFacts(facts, for: Samples.key())
        try share([Samples.grid, Samples.list])
        #expect(shared.kept.withLock { $0.count } == 2, "a recipe that is not there is left out")
        #expect(try other.take(Samples.list, of: Samples.digest(1), from: shared) == nil)
        #expect(try other.take(Samples.grid, of: Samples.digest(2), from: shared) == nil)
        #expect(try other.take(Samples.grid, of: Samples.digest(1), from: shared)?.rendition == Samples.rendition())
        #expect(other.lookup(Samples.key()).rendition == Samples.rendition())
        #expect(try other.takeFacts(of: Samples.digest(1), from: shared) == facts)
        #expect(other.facts(of: Samples.key()) == facts)
    }

    @Test("Whatever byte is damaged, cut off or added, nothing is taken over")
    func damage() throws {
        try one.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        try share([Samples.grid])
        let (name, whole) = try #require(shared.kept.withLock { $0.first })
        func isTaken(_ bytes: [UInt8]) throws -> Bool {
            shared.kept.withLock { $0[name] = bytes }
            return try other.take(Samples.grid, of: Samples.digest(1), from: shared) != nil
        }
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1 << UInt8(index % 8)
            #expect(try !isTaken(bytes), "byte \(index)")
        }
        for count in [0, 3, 4, 5, whole.count - 1] { #expect(try !isTaken(Array(whole.prefix(count)))) }
        #expect(try !isTaken(whole + [0]))
        #expect(try !isTaken([255, 255, 255, 255] + whole.dropFirst(4)))
        #expect(try isTaken(whole))
    }

    @Test("What is kept for one recipe is not another's")
    func recipes() throws {
        try one.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        try share([Samples.grid])
        shared.kept.withLock { kept in
            kept["\(Samples.digest(1).hex)/\(Samples.list.name).picture"] = kept.values.first
        }
        #expect(try other.take(Samples.list, of: Samples.digest(1), from: shared) == nil)
    }

    @Test("A job takes over what its machine lacks, and keeps only what the others lack")
    func entry() throws {
        let facts = StoredFacts(
            facts: Facts(mediaType: .jpeg, kind: .image, byteCount: 10), placeholder: "hash", build: "b")
        try one.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        try one.storeFacts(facts, for: Samples.key())
        try share([Samples.grid])
        #expect(shared.keepCount == 2)
        // Another machine has the first rendition and the facts from here, and makes the second.
        var entry = SharedEntry(of: Samples.digest(1), in: other, and: shared)
        try entry.take([Samples.grid, Samples.list])
        #expect(other.lookup(Samples.key()).rendition == Samples.rendition())
        #expect(other.facts(of: Samples.key()) == facts)
        try other.store(Samples.rendition(), for: Samples.key(), recipe: Samples.list)
        try entry.share([Samples.grid, Samples.list])
        #expect(shared.keepCount == 3)
        // A job whose renditions are all there asks, and keeps none of them again.
        try share([Samples.grid, Samples.list])
        #expect(shared.keepCount == 3)
        // What is damaged counts as nothing.
        shared.kept.withLock { kept in
            for name in kept.keys where name.hasSuffix(".picture") { kept[name]?.removeLast() }
        }
        try share([Samples.grid])
        #expect(shared.keepCount == 4)
    }
}
