import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

/// A cache folder in which somebody else has put something.
@Suite("A planted cache", .deadline)
struct PlantedCacheTests {
    /// A cache with one rendition beside a folder with somebody's file, and a clock two hours later.
    private func caches() throws -> (scratch: ScratchFolder, cache: FolderCache) {
        let scratch = try ScratchFolder()
        for folder in ["cache", "owner"] { mkdir("\(scratch.path)/\(folder)", 0o755) }
        try scratch.write(Array("precious".utf8), to: "owner/0123456789abcdef")
        let clock = TestClock()
        let cache = FolderCache(path: "\(scratch.path)/cache", files: LinuxFileSystem()) { clock.now }
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        scratch.setTimes("owner/0123456789abcdef", to: clock.now)
        clock.advance(by: .seconds(86400))
        return (scratch, cache)
    }

    private func replace(_ place: String, in scratch: ScratchFolder, byLinkTo target: String) {
        #expect(rename("\(scratch.path)/cache/\(place)", "\(scratch.path)/moved") == 0 || clinux_errno() == ENOENT)
        #expect(symlink(target, "\(scratch.path)/cache/\(place)") == 0)
    }

    @Test("A counter that is a link is not written through", arguments: ["usage", "damaged", "gc.json"])
    func counters(name: String) throws {
        let (scratch, cache) = try caches()
        replace(name, in: scratch, byLinkTo: "../owner/0123456789abcdef")
        try cache.store(Samples.rendition(2), for: Samples.key(2), recipe: Samples.grid)
        try scratch.write([1], to: "cache/\(FolderCache.place(Samples.key(2), "json"))")
        _ = cache.lookup(Samples.key(2))
        _ = try cache.collect(budget: 1 << 30)
        #expect(try scratch.read("owner/0123456789abcdef") == Array("precious".utf8))
    }

    @Test(
        "A folder that is a link is not collected, purged or written through",
        arguments: ["tmp", "locks", "v1", "stat"])
    func folders(name: String) throws {
        let (scratch, cache) = try caches()
        try cache.statIndex.remember(
            Samples.key(), for: FileStatus.of(path: "/usr/bin/env"), readingBegan: Time.wall)
        mkdir("\(scratch.path)/cache/locks", 0o755)
        replace(name, in: scratch, byLinkTo: "../owner")
        if ["tmp", "locks"].contains(name) {
            // Without these nothing can be written: no lock, no new count.
            #expect(throws: Failure.self) { try cache.collect(budget: 0) }
        } else {
            #expect(try cache.collect(budget: 0)?.foreign.paths.contains("\(cache.path)/\(name)") == true)
        }
        _ = try? cache.purge(Samples.digest(1))
        _ = try? cache.store(Samples.rendition(3), for: Samples.key(3), recipe: Samples.grid)
        _ = cache.singleFlight.acquire([.init(Samples.key(), recipe: Samples.grid)], until: Time.monotonic)
        #expect(scratch.files(below: "owner") == ["owner/0123456789abcdef"])
    }

    @Test("A record or rendition that is a link is no hit")
    func entries() throws {
        for suffix in ["jpg", "json"] {
            let (scratch, cache) = try caches()
            let place = FolderCache.place(Samples.key(), suffix)
            replace(place, in: scratch, byLinkTo: "\(scratch.path)/moved")
            #expect(cache.lookup(Samples.key()) == .miss)
        }
        let (scratch, cache) = try caches()
        replace(Samples.key().folder, in: scratch, byLinkTo: "\(scratch.path)/moved")
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.facts(of: Samples.key()) == nil)
    }

    @Test("While an entry's folder is swapped for a link and back, nothing outside is written or removed")
    func swapping() throws {
        let (scratch, cache) = try caches()
        let entry = Samples.key().folder
        mkdir("\(scratch.path)/owner/inner", 0o755)
        let outside = "\(scratch.path)/owner/inner"
        let recipe = Samples.grid.name
        for suffix in ["json", "jpg"] { try scratch.write([7], to: "owner/inner/\(recipe).\(suffix)") }
        try withThreads(2) { number in
            for round in 0..<2000 {
                if number == 0 {
                    rename("\(cache.path)/\(entry)", "\(scratch.path)/moved-\(round)")
                    symlink(outside, "\(cache.path)/\(entry)")
                    unlink("\(cache.path)/\(entry)")
                } else {
                    _ = try? cache.store(Samples.rendition(2), for: Samples.key(), recipe: Samples.grid)
                    _ = try? cache.purge(Samples.digest(1))
                }
            }
        }
        for suffix in ["json", "jpg"] { #expect(try scratch.read("owner/inner/\(recipe).\(suffix)") == [7]) }
        #expect(scratch.files(below: "owner").count == 3)
    }

    @Test("Collections and purges leave files that are not the cache's, and name them")
    func foreignNames() throws {
        let (scratch, cache) = try caches()
        let entry = Samples.key().folder
        for folder in ["tmp", "locks", "tmp/0000000000000000", "stat", "stat/ab"] {
            mkdir("\(cache.path)/\(folder)", 0o755)
        }
        var foreign = ["tmp/thesis.odt", "locks/notes", "stat/ab/list.json", "\(entry)/a b.jpg", "v1/readme"]
        for place in foreign {
            try scratch.write([1], to: "cache/\(place)")
            scratch.setTimes("cache/\(place)", to: 0)
        }
        mkfifo("\(cache.path)/tmp/1111111111111111", 0o600)
        foreign += ["tmp/0000000000000000", "tmp/1111111111111111"]
        let report = try #require(try cache.collect(budget: 0))
        #expect(Set(report.foreign.paths) == Set(foreign.map { "\(cache.path)/\($0)" }))
        #expect(report.foreign.count == foreign.count)
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        #expect(try cache.purge(Samples.digest(1)))
        #expect(cache.foreignFiles(of: Samples.digest(1)).paths == ["\(cache.path)/\(entry)/a b.jpg"])
        for place in foreign { #expect((try? scratch.status("cache/\(place)")) != nil, "\(place)") }
        #expect(cache.lookup(Samples.key()) == .miss)
    }

    @Test("A folder of another user is refused with a remedy, unless that user is trusted")
    func otherOwner() throws {
        let (scratch, cache) = try caches()
        let other: UInt32 = 65534
        // Without root's rights the folder cannot be given away; its owner can be somebody else than the program's user.
        let (user, owner) = geteuid() == 0 ? (UInt32(0), other) : (geteuid() + 1, geteuid())
        if geteuid() == 0 { try #require(chown("\(scratch.path)/cache", other, other) == 0) }
        let strange = FolderCache(path: cache.path, user: user, files: LinuxFileSystem())
        let failure = #expect(throws: Failure.self) { try strange.checkOwner() }
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.contains("belongs to user \(owner)") == true)
        #expect(failure?.message.contains("--cache-owner \(owner)") == true)
        #expect(strange.lookup(Samples.key()) == .miss)
        #expect(throws: Failure.self) {
            try strange.store(Samples.rendition(2), for: Samples.key(2), recipe: Samples.grid)
        }
        let trusting = FolderCache(path: cache.path, trustedOwner: owner, user: user, files: LinuxFileSystem())
        try trusting.checkOwner()
        #expect(trusting.lookup(Samples.key()).rendition == Samples.rendition())
    }

    @Test("A folder that every user may write to is refused; one that its group may write to is not")
    func modes() throws {
        let (scratch, cache) = try caches()
        defer { withExtendedLifetime(scratch) {} }
        chmod(cache.path, 0o777)
        let open = FolderCache(path: cache.path)
        #expect(throws: Failure.self) { try open.checkOwner() }
        #expect(open.lookup(Samples.key()) == .miss)
        chmod(cache.path, 0o775)
        try open.checkOwner()
        #expect(open.lookup(Samples.key()).rendition == Samples.rendition())
    }

    @Test(
        "A link of one's own to the cache is followed; where everybody may make folders, the cache is its maker's alone"
    )
    func links() throws {
        let scratch = try caches().scratch
        symlink("cache", "\(scratch.path)/link")
        let linked = FolderCache(path: "\(scratch.path)/link")
        try linked.checkOwner()
        #expect(linked.lookup(Samples.key()).rendition == Samples.rendition())
        if geteuid() == 0 {
            try #require(lchown("\(scratch.path)/link", 65534, 65534) == 0)
            #expect(throws: Failure.self) { try FolderCache(path: linked.path).checkOwner() }
        }
        mkdir("\(scratch.path)/open", 0o755)
        chmod("\(scratch.path)/open", 0o1777)
        try FolderCache(path: "\(scratch.path)/open/cache").makeFolder()
        #expect(try scratch.status("open/cache").mode & 0o777 == 0o700)
    }

    @Test("A cache that was moved away and made again is found again")
    func movedAway() throws {
        let (scratch, cache) = try caches()
        rename(cache.path, "\(scratch.path)/old")
        try FolderCache(path: cache.path).store(Samples.rendition(5), for: Samples.key(), recipe: Samples.grid)
        Time.sleep(.milliseconds(1100))
        #expect(cache.lookup(Samples.key()).rendition == Samples.rendition(5))
    }
}
