import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("A cache that cannot be written", .deadline)
struct UnwritableCacheTests {
    @Test("A user who may only read gets hits, and on storing a failure that names call, folder and remedy")
    func readOnly() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        try cache.storeFacts(Samples.facts, for: Samples.key())
        let before = scratch.files()
        chmod(scratch.path, 0o755)
        setFolderModes(below: scratch.path, to: 0o555)
        defer { setFolderModes(below: scratch.path, to: 0o755) }
        try OrdinaryUser.run {
            #expect(cache.lookup(Samples.key()).rendition == Samples.rendition())
            #expect(cache.facts(of: Samples.key()) == Samples.facts)
            let failure = #expect(throws: Failure.self) {
                try cache.store(Samples.rendition(2), for: Samples.key(), recipe: Samples.grid)
            }
            #expect(failure?.code == .unavailable)
            #expect(failure?.detail.contains("Permission denied") == true)
            #expect(failure?.detail.contains("\(scratch.path)/cache") == true)
            #expect(failure?.detail.contains("write access") == true)
            #expect(failure?.message.contains("/") == false, "the public text names no path")
            let hold = cache.singleFlight.acquire(
                [.init(Samples.key(9), recipe: Samples.grid)], until: Time.monotonic + .seconds(5))
            #expect(!hold.isComplete)
            #expect(#expect(throws: Failure.self) { try cache.collect(budget: 0) }?.code == .unavailable)
            #expect(cache.lookup(Samples.key()).rendition == Samples.rendition())
        }
        #expect(scratch.files() == before)
    }

    @Test("Where a file bears the cache's name, look-ups are misses and storing fails with that reason")
    func noFolder() throws {
        let scratch = try ScratchFolder()
        try scratch.write([1], to: "cache")
        let cache = FolderCache(path: scratch.path + "/cache")
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.facts(of: Samples.key()) == nil)
        #expect(cache.verify().isEmpty)
        #expect(cache.statistics() == .none)
        let failure = #expect(throws: Failure.self) {
            try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        }
        #expect(failure?.code == .unavailable)
        #expect(failure?.detail.contains("Not a directory") == true)
    }

    @Test("A full disk is the reason of the failure", arguments: [ENOSPC, EDQUOT])
    func fullDisk(number: Int32) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path, files: FaultyFileSystem(.fromOn(0), number: number))
        let failure = #expect(throws: Failure.self) {
            try cache.storeFacts(Samples.facts, for: Samples.key())
        }
        #expect(failure?.code == .unavailable)
        #expect(failure?.detail.contains("free space") == true)
    }

    private func setFolderModes(below path: String, to mode: mode_t) {
        for name in (try? FolderNames.texts(in: path)) ?? [] {
            guard (try? FileStatus.of(path: "\(path)/\(name)").isDirectory) == true else {
                // Another user is to read it, which an owner has to allow.
                chmod("\(path)/\(name)", 0o644)
                continue
            }
            chmod("\(path)/\(name)", mode)
            setFolderModes(below: "\(path)/\(name)", to: mode)
        }
    }
}
