import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Verification", .deadline)
struct VerificationTests {
    /// A cache of four sources, each with a rendition and facts.
    private func cache(in scratch: ScratchFolder) throws -> FolderCache {
        let cache = FolderCache(path: scratch.path)
        for number in 1...4 {
            try cache.store(Samples.rendition(UInt8(number)), for: Samples.key(number), recipe: Samples.grid)
            try cache.storeFacts(Samples.facts, for: Samples.key(number))
        }
        try cache.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(4), recipe: Samples.list)
        return cache
    }

    @Test("A sound cache has no damage, and verification does not count as use")
    func sound() throws {
        let scratch = try ScratchFolder()
        let cache = try cache(in: scratch)
        let place = FolderCache.place(Samples.key(1), "jpg")
        scratch.setTimes(place, to: 1_000_000_000)
        #expect(cache.verify(repair: true).isEmpty)
        #expect(try scratch.status(place).accessed == 1_000_000_000)
        #expect(cache.statistics().renditions == 4)
    }

    @Test("Every damage is listed with its reason; a repair removes just that")
    func damage() throws {
        let scratch = try ScratchFolder()
        let cache = try cache(in: scratch)
        let cut = FolderCache.place(Samples.key(1), "jpg")
        try scratch.write(Array(try scratch.read(cut).dropLast()), to: cut)
        let changed = FolderCache.place(Samples.key(2), "jpg")
        var bytes = try scratch.read(changed)
        bytes[7] ^= 1
        try scratch.write(bytes, to: changed)
        let record = FolderCache.place(Samples.key(3), "json")
        try scratch.write(Array("{}".utf8), to: record)
        let facts = "\(Samples.key(3).folder)/facts.json"
        try scratch.write([], to: facts)
        let foreign = "\(Samples.key(4).folder)/notes"
        try scratch.write([], to: foreign)
        let expected: [String: String] = [
            cut: "it is cut short", changed: "its checksum differs", record: "its check fails",
            facts: "its check fails", foreign: "not a cache file",
        ]
        func found() -> [String: String] {
            Dictionary(uniqueKeysWithValues: cache.verify().map { ($0.place, $0.reason) })
        }
        #expect(found() == expected)
        #expect(cache.statistics().damaged == 0, "only lookups count")
        #expect(cache.verify(repair: true).count == 5)
        #expect(found() == [foreign: "not a cache file"])
        #expect(cache.lookup(Samples.key(4)).rendition == Samples.rendition(4))
        #expect(cache.facts(of: Samples.key(1)) == Samples.facts)
        #expect(cache.statistics().renditions == 1)
    }

    @Test("A record whose rendition is gone is damage, and so is a rendition that grew")
    func missingAndGrown() throws {
        let scratch = try ScratchFolder()
        let cache = try cache(in: scratch)
        unlink("\(scratch.path)/\(FolderCache.place(Samples.key(1), "jpg"))")
        try scratch.append([0], to: FolderCache.place(Samples.key(2), "jpg"))
        #expect(cache.verify().map(\.reason).sorted() == ["it is missing", "it is too long"])
        _ = cache.verify(repair: true)
        #expect(cache.verify().isEmpty)
        #expect(cache.statistics().renditions == 2)
    }

    @Test("A damaged stat entry is listed and removed")
    func statEntry() throws {
        let scratch = try ScratchFolder()
        let cache = try cache(in: scratch)
        try cache.statIndex.remember(
            Samples.key(), for: FileStatus.of(path: "/usr/bin/env"), readingBegan: Time.wall)
        let place = try #require(scratch.files(below: "stat").first)
        try scratch.write([1, 2], to: place)
        let found = cache.verify(repair: true)
        #expect(found.map(\.place) == [place])
        #expect(found.map(\.reason) == ["its check fails"])
        #expect(scratch.files(below: "stat").isEmpty)
    }
}
