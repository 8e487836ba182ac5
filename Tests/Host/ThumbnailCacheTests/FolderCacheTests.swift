import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("The cache in a folder", .deadline)
struct FolderCacheTests {
    @Test("An entry lies at v1/ab/cd/<digest>, and its path is the rendition's file")
    func layout() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache/")
        let stored = try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        let hex = Samples.digest(1).hex
        let place = "v1/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)/\(Samples.grid.name)"
        #expect(stored.path == "\(scratch.path)/cache/\(place).jpg")
        #expect(try scratch.read("cache/\(place).jpg") == Samples.rendition().bytes)
        #expect(scratch.files(below: "cache/v1") == ["cache/\(place).jpg", "cache/\(place).json"])
        #expect(scratch.files(below: "cache/tmp").isEmpty)
    }

    @Test("A new cache bears the tag of cache directories, in their specification's words")
    func tag() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/a/b/cache")
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        let text = String(decoding: try scratch.read("a/b/cache/CACHEDIR.TAG"), as: UTF8.self)
        #expect(text.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        #expect(scratch.files().filter { $0.hasSuffix("CACHEDIR.TAG") }.count == 1, "only the cache's own folder")
    }

    @Test("A look-up creates no file")
    func lookupMakesNothing() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.statistics() == CacheStatistics.none)
        #expect((try? scratch.status("cache")) == nil)
    }

    @Test(
        "Folders that tell which files a user has are closed to others; entries promoted to a digest are open as all others",
        arguments: [
            (folder: mode_t(0o700), entries: UInt32(0o700)), (0o755, 0o700), (0o2750, 0o750), (0o2775, 0o770),
            (0o775, 0o770),
        ])
    func privateFolders(modes: (folder: mode_t, entries: UInt32)) throws {
        let scratch = try ScratchFolder()
        chmod(scratch.path, modes.folder)
        let cache = FolderCache(path: scratch.path)
        try scratch.write([1], to: "source")
        scratch.setTimes("source", to: 1_000_000_000)
        let status = try scratch.status("source")
        try cache.store(Samples.rendition(), for: .local(StatKey(of: status)), recipe: Samples.grid)
        let later = status.changed + 10_000_000_000
        #expect(try cache.statIndex.remember(.local(StatKey(of: status)), for: status, readingBegan: later))
        #expect(try scratch.status("local").mode & 0o777 == 0o700)
        #expect(try scratch.status("stat").mode & 0o777 == 0o700)
        try cache.promote(StatKey(of: status), to: Samples.digest(1))
        let entry = SourceKey.digest(Samples.digest(1)).folder
        #expect(try scratch.status(entry).mode & 0o777 == modes.entries)
        for file in scratch.files() where file.hasPrefix(entry) && file.hasSuffix(".json") {
            #expect(try scratch.status(file).mode & 0o777 == modes.entries & 0o666, "\(file)")
        }
    }

    @Test("A file for a private folder is closed to others while it is being written")
    func privateTemporaries() throws {
        let scratch = try ScratchFolder()
        // The record's rename is what a crash leaves out: its staged file shows where it was written.
        for index in 0..<40 {
            let cache = FolderCache(path: scratch.path + "/\(index)", files: FaultyFileSystem(.fromOn(index)))
            let key = StatKey(of: try FileStatus.of(path: "/usr/bin/env"))
            _ = try? cache.store(Samples.rendition(), for: .local(key), recipe: Samples.grid)
        }
        #expect(scratch.files().contains { $0.contains("/local/tmp/") })
        #expect(!scratch.files().contains { $0.split(separator: "/").dropFirst().first == "tmp" })
    }

    @Test("A record cut at any byte is a miss, is counted, and is replaced", arguments: ["json", "jpg"])
    func tornAtEveryByte(suffix: String) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let rendition = Samples.rendition(byteCount: 500)
        try cache.store(rendition, for: Samples.key(), recipe: Samples.grid)
        let place = FolderCache.place(Samples.key(), suffix)
        let whole = try scratch.read(place)
        for count in whole.indices {
            try scratch.write(Array(whole.prefix(count)), to: place)
            scratch.setTimes(Samples.key().folder, to: 0)
            #expect(cache.lookup(Samples.key()) == .miss, "cut to \(count) bytes")
        }
        #expect(cache.statistics().damaged == whole.count)
        try cache.store(rendition, for: Samples.key(), recipe: Samples.grid)
        #expect(cache.lookup(Samples.key()).rendition == rendition)
    }

    @Test("A flipped bit anywhere is a miss", arguments: ["json", "jpg"])
    func flippedBits(suffix: String) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.store(Samples.rendition(byteCount: 300), for: Samples.key(), recipe: Samples.grid)
        let place = FolderCache.place(Samples.key(), suffix)
        let whole = try scratch.read(place)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1 << UInt8(index % 8)
            try scratch.write(damaged, to: place)
            scratch.setTimes(Samples.key().folder, to: 0)
            #expect(cache.lookup(Samples.key()) == .miss, "bit \(index % 8) of byte \(index)")
        }
    }

    @Test("A damaged facts file counts as absent, and the same build's facts replace it")
    func damagedFacts() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.storeFacts(Samples.facts, for: Samples.key())
        let place = "\(Samples.key().folder)/facts.json"
        let whole = try scratch.read(place)
        for count in whole.indices {
            try scratch.write(Array(whole.prefix(count)), to: place)
            scratch.setTimes(Samples.key().folder, to: 0)
            #expect(cache.facts(of: Samples.key()) == nil)
        }
        try cache.storeFacts(Samples.facts, for: Samples.key())
        #expect(cache.facts(of: Samples.key()) == Samples.facts)
    }

    @Test("A missing rendition, and a folder, a pipe or a link in its place, are misses", arguments: 0..<4)
    func strangeFiles(number: Int) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        let path = "\(scratch.path)/\(FolderCache.place(Samples.key(), "jpg"))"
        rename(path, "\(scratch.path)/elsewhere")
        switch number {
        case 0: break
        case 1: mkdir(path, 0o777)
        case 2: mkfifo(path, 0o666)
        default: symlink("\(scratch.path)/elsewhere", path)
        }
        #expect(cache.lookup(Samples.key()) == .miss)
    }

    @Test("Another recipe's record under the same name is a miss, and no damage")
    func recipeOfTheSameName() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.list)
        for suffix in ["json", "jpg"] {
            let bytes = try scratch.read(FolderCache.place(Samples.key(), suffix, of: Samples.list))
            try scratch.write(bytes, to: FolderCache.place(Samples.key(), suffix))
        }
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.statistics().damaged == 0)
    }

    @Test("A hit moves the access time, hourly at most, and leaves the time of modification")
    func accessTime() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        let place = FolderCache.place(Samples.key(), "jpg")
        let first = try scratch.status(place)
        clock.advance(by: .seconds(3500))
        _ = cache.lookup(Samples.key())
        #expect(try scratch.status(place).accessed == first.accessed)
        clock.advance(by: .seconds(200))
        _ = cache.lookup(Samples.key())
        #expect(try scratch.status(place).accessed == clock.now)
        #expect(try scratch.status(place).modified == first.modified)
    }

    @Test("Statistics count all entries, renditions and failures")
    func statistics() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let status = try FileStatus.of(path: "/usr/bin/env")
        try cache.store(Samples.rendition(byteCount: 100_000), for: Samples.key(1), recipe: Samples.grid)
        try cache.store(Samples.rendition(), for: Samples.key(1), recipe: Samples.list)
        try cache.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(2), recipe: Samples.grid)
        try cache.store(Samples.rendition(), for: .local(StatKey(of: status)), recipe: Samples.grid)
        let statistics = cache.statistics()
        #expect(statistics.entries == 3)
        #expect(statistics.localEntries == 1)
        #expect(statistics.renditions == 3)
        #expect(statistics.failures == 1)
        #expect(statistics.damaged == 0)
        let allocated = try (scratch.files(below: "v1") + scratch.files(below: "local"))
            .reduce(0) { try $0 + scratch.status($1).allocatedByteCount }
        #expect(statistics.byteCount >= allocated && statistics.byteCount < allocated + (16 * 4096))
        #expect(statistics.byteCount > 100_000)
    }
}

extension CacheStatistics {
    /// Those of a cache that does not exist.
    static var none: CacheStatistics { FolderCache(path: "/nonexistent/compass").statistics() }
}
