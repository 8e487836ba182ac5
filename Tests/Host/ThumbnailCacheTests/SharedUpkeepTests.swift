import Media
import Synchronization
import TestDeadline
import Testing
import ThumbnailCache

/// The files behind shared pictures in memory, listed two at a time.
private final class MemoryPictureFiles: SharedPictureFiles {
    let pictures = MemoryPictures()
    var modified: [String: Int64] = [:]
    /// What a store that lies says of a file.
    var sizes: [String: Int64] = [:]
    /// Files that are listed and cannot be read.
    var unreadable: Set<String> = []
    /// Files that are gone when they are read.
    var vanishing: Set<String> = []

    var names: [String] { pictures.kept.withLock { $0.keys.sorted() } }

    func put(_ bytes: [UInt8], _ name: String, modified moment: Int64 = 0) {
        pictures.kept.withLock { $0[name] = bytes }
        modified[name] = moment
    }

    func bytes(_ name: String) throws -> [UInt8] { try #require(pictures.kept.withLock { $0[name] }) }

    func list(_ digest: Digest?, from place: String?) -> (files: [SharedPictureFile], next: String?) {
        let beginning = digest.map { "\($0.hex)/" } ?? ""
        let rest = names.filter { $0.hasPrefix(beginning) && $0 > place ?? "" }
        let files = rest.prefix(2).map { name in
            let count = pictures.kept.withLock { $0[name]?.count ?? 0 }
            return SharedPictureFile(
                name: name, byteCount: sizes[name] ?? Int64(count), modified: modified[name] ?? 0)
        }
        return (files, rest.count > 2 ? files.last?.name : nil)
    }

    func read(_ name: String) throws(Failure) -> [UInt8]? {
        if unreadable.contains(name) { throw Failure(.unavailable, detail: "the store") }
        return vanishing.contains(name) ? nil : pictures.kept.withLock { $0[name] }
    }

    func remove(_ name: String) { _ = pictures.kept.withLock { $0.removeValue(forKey: name) } }
}

@Suite("Upkeep of the pictures that machines share", .deadline)
struct SharedUpkeepTests {
    private let files = MemoryPictureFiles()

    private static func name(_ number: Int, _ recipe: Recipe = Samples.grid) -> String {
        "\(Samples.digest(number).hex)/\(recipe.name).picture"
    }

    private static func factsName(_ number: Int) -> String { "\(Samples.digest(number).hex)/facts.json" }

    /// Keeps two renditions and the facts of each of three contents, as a machine does.
    private func share() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        for number in 1...3 {
            for recipe in [Samples.grid, Samples.list] {
                try cache.store(Samples.rendition(UInt8(number)), for: Samples.key(number), recipe: recipe)
            }
            try cache.storeFacts(Samples.facts, for: Samples.key(number))
            var entry = SharedEntry(of: Samples.digest(number), in: cache, and: files.pictures)
            try entry.share([Samples.grid, Samples.list])
        }
        #expect(files.names.count == 9)
    }

    @Test("Contents, renditions, facts, bytes and others' files are counted over all parts of the list")
    func statistics() throws {
        try share()
        let byteCount = files.names.reduce(0) { $0 + (files.pictures.kept.withLock { $0 }[$1]?.count ?? 0) }
        for name in ["notes", "a/b", "\(Samples.digest(1).hex)/b.jpg", "\(Samples.digest(1).hex)/A.picture"] {
            files.put([1], name)
        }
        files.put([1, 2], "probe")
        let statistics = try files.statistics()
        #expect(statistics.entries == 3 && statistics.renditions == 6 && statistics.facts == 3)
        #expect(statistics.byteCount == Int64(byteCount) && statistics.foreign == 4)
        #expect(try MemoryPictureFiles().statistics().entries == 0)
    }

    private func damages(repair: Bool = false) throws -> [String: String] {
        var found: [String: String] = [:]
        let count = try files.verify(repair: repair) { found[$0.place] = $0.reason }
        #expect(count == found.count)
        return found
    }

    @Test("Every damage is named with its reason, and a repair removes just that")
    func damage() throws {
        try share()
        #expect(try damages(repair: true).isEmpty && files.names.count == 9)
        func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
            var bytes = try files.bytes(name)
            body(&bytes)
            files.put(bytes, name)
        }
        try change(Self.name(1)) { $0[$0.count - 1] ^= 1 }
        try change(Self.name(2)) { $0.removeLast() }
        try change(Self.name(3)) { $0.append(0) }
        try change(Self.name(1, Samples.list)) { $0[20] ^= 1 }
        files.put(try files.bytes(Self.name(3, Samples.list)), Self.name(4))
        files.put([], Self.factsName(1))
        files.put([1], Self.factsName(2))
        files.put([1], "notes")
        files.put([1], "probe")
        files.sizes[Self.name(2, Samples.list)] = 1 << 40
        let expected = [
            Self.name(1): "its checksum differs", Self.name(2): "it is cut short", Self.name(3): "it is too long",
            Self.name(1, Samples.list): "its record's check fails", Self.name(4): "it belongs to another recipe",
            Self.factsName(1): "its check fails", Self.factsName(2): "its check fails",
            "notes": "not a cache file", Self.name(2, Samples.list): "it is too long",
        ]
        #expect(try damages() == expected)
        #expect(try damages(repair: true) == expected)
        #expect(try damages() == ["notes": "not a cache file"])
        #expect(files.names == [Self.name(3, Samples.list), Self.factsName(3), "notes", "probe"].sorted())
    }

    @Test("A file that goes while it is verified is no damage, and one that cannot be read ends it by its name")
    func trouble() throws {
        try share()
        files.vanishing = [Self.name(1)]
        #expect(try damages().isEmpty)
        files.unreadable = [Self.name(2)]
        let failure = #expect(throws: Failure.self) { try files.verify { _ in } }
        #expect(failure?.code == .unavailable && failure?.detail == "\(Self.name(2)): the store")
    }

    @Test("Over its budget the oldest files go, to a tenth below; a dry run says the same and removes nothing")
    func collection() throws {
        for number in 1...10 {
            files.put([UInt8](repeating: 0, count: 100), Self.name(number), modified: Int64(11 - number))
        }
        files.put([UInt8](repeating: 0, count: 5000), "notes")
        files.put([UInt8](repeating: 0, count: 5000), "probe")
        let all = files.names
        var report = try files.collect(budget: 1000)
        #expect(report.byteCountBefore == 1000 && report.byteCountAfter == 1000 && report.removedRenditions == 0)
        let dry = try files.collect(budget: 800, isDryRun: true)
        #expect(files.names == all)
        report = try files.collect(budget: 800)
        #expect(report == dry)
        #expect(report.byteCountBefore == 1000 && report.byteCountAfter == 700 && report.removedRenditions == 3)
        #expect(report.foreign.paths == ["notes"] && report.foreign.count == 1)
        #expect(files.names == all.filter { ![Self.name(8), Self.name(9), Self.name(10)].contains($0) })
    }

    @Test("Of files of one moment no more go than must, and facts go as well")
    func oneMoment() throws {
        for number in 1...4 { files.put([UInt8](repeating: 0, count: 100), Self.name(number), modified: 7) }
        files.put([UInt8](repeating: 0, count: 50), Self.factsName(1), modified: 6)
        let report = try files.collect(budget: 300)
        #expect(report.removedFacts == 1 && report.removedRenditions == 2 && report.byteCountAfter == 200)
        #expect(files.names.count == 2)
        #expect(try files.collect(budget: 1).removedRenditions == 2)
        #expect(files.names.isEmpty)
    }

    @Test("A store that lies about sizes ends no program")
    func lies() throws {
        // Their sum wraps to a large one.
        for number in 1...3 {
            files.put([1], Self.name(number), modified: .max - Int64(number))
            files.sizes[Self.name(number)] = .max
        }
        _ = try files.statistics()
        _ = try files.collect(budget: 1)
    }

    @Test("A content is forgotten with all its files, and no other's; others' files in its place stay and are named")
    func purge() throws {
        try share()
        files.put([1], "\(Samples.digest(2).hex)/notes")
        let (isThere, foreign) = try files.purge(Samples.digest(2))
        #expect(isThere && foreign.paths == ["\(Samples.digest(2).hex)/notes"])
        #expect(files.names.filter { $0.hasPrefix(Samples.digest(2).hex) } == foreign.paths)
        #expect(files.names.count == 7)
        #expect(try !files.purge(Samples.digest(2)).isThere)
        #expect(try !files.purge(Samples.digest(9)).isThere)
    }
}
