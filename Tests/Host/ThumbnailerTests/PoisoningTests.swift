import CLinux
import Hashing
import Linux
import Media
import SourceFiles
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

/// Whoever owns a source may change its bytes without a trace in its times: by a shared mapping of a page that is dirty already.
@Suite("Files that others may write to poison no entry of the cache", .deadline)
struct PoisoningTests {
    private let recipe = Recipe(box: Box(width: 8, height: 8)!, fit: .inside, format: .png)
    private let shown = "tint 20  as image/png"
    private let hidden = "tint 250 as image/png"

    /// In whose hands the file is beside the attacker's mapping.
    enum Hands: CaseIterable, Sendable {
        case anothers
        case groups
        case ownButOpenElsewhere
    }

    /// A file that is mapped for writing, its only page dirty.
    private struct Attacked {
        let path: String
        private let mapping: Mapping

        init(_ engine: FakeEngine, _ text: String, in hands: Hands = .anothers) throws {
            path = "\(engine.folder)/attacked.png"
            let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_TRUNC)
            try file.write(Array(text.utf8))
            switch hands {
            // A test that is not root's owns what it makes; others may write to it then.
            case .anothers where geteuid() == 0: fchown(file.number, 65534, 65534)
            case .anothers: fchmod(file.number, 0o606)
            case .groups: fchmod(file.number, 0o660)
            case .ownButOpenElsewhere: fchmod(file.number, 0o600)
            }
            mapping = try Mapping(of: file.number, byteCount: text.utf8.count, writable: true)
            flip(to: text)
        }

        func flip(to text: String) { mapping.bytes.copyBytes(from: Array(text.utf8)) }
    }

    /// What an honest file with this text shows.
    private func picture(of text: String) throws -> [UInt8] {
        let engine = try FakeEngine()
        defer { engine.close() }
        let made = try engine.thumbnailer().thumbnails(of: try engine.source(text), order: Order(recipes: [recipe]))
        return try made.results[0].get().rendition.bytes
    }

    private func kept(_ engine: FakeEngine, for text: String) -> [UInt8]? {
        let key = SourceKey.digest(SHA256.digest(of: Array(text.utf8)))
        guard case .hit(let stored) = engine.cache.lookup(key, recipe: recipe, currentBuild: { nil }) else {
            return nil
        }
        return stored.rendition.bytes
    }

    @Test("Bytes that change after they were hashed and before they are decoded", arguments: Hands.allCases)
    func flippedAfterHashing(hands: Hands) throws {
        let engine = try FakeEngine(isGated: true)
        defer { engine.close() }
        let attacked = try Attacked(engine, shown, in: hands)
        let source = try SourceFile.open(attacked.path)
        let result = Promise<Result<Thumbnails, Failure>>()
        let order = Order(recipes: [recipe])
        let victim = try WorkerThread(name: "victim") {
            result.fulfil(
                Result { () throws(Failure) in try engine.thumbnailer().thumbnails(of: source, order: order) })
        }
        // The entry's folder is made when the digest is known; the renderer waits at its gate.
        let entry = "\(engine.cache.path)/\(SourceKey.digest(SHA256.digest(of: Array(shown.utf8))).folder)"
        #expect(eventually { access(entry, F_OK) == 0 || result.current != nil })
        attacked.flip(to: hidden)
        #expect(source.isUnchanged, "the times do not tell, or this test proves nothing")
        try engine.openGate()
        victim.join()
        #expect(try result.value().get().digest == SHA256.digest(of: Array(shown.utf8)))
        #expect(try kept(engine, for: shown) == picture(of: shown))
    }

    @Test("Bytes that have changed since the stat index learned of them", arguments: [true, false])
    func flippedSinceIndexed(isForced: Bool) throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let attacked = try Attacked(engine, shown)
        let source = try SourceFile.open(attacked.path)
        let digest = SHA256.digest(of: Array(shown.utf8))
        try engine.cache.statIndex.remember(.digest(digest), for: source.status, readingBegan: .max)
        attacked.flip(to: hidden)
        let made = try engine.thumbnailer()
            .thumbnails(of: source, order: Order(recipes: [recipe], isForced: isForced, knownDigest: digest))
        #expect(source.isUnchanged, "the times do not tell, or this test proves nothing")
        #expect(made.digest == SHA256.digest(of: Array(hidden.utf8)))
        #expect(kept(engine, for: shown) == nil)
        #expect(try kept(engine, for: hidden) == picture(of: hidden))
    }

    @Test("A large file's entry under its stat key becomes no other content's, when its digest is wanted later")
    func flippedBeforePromotion() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let attacked = try Attacked(engine, hidden)
        let source = try SourceFile.open(attacked.path)
        let thumbnailer = engine.thumbnailer(maxUnhashed: 1)
        let local = try thumbnailer.thumbnails(of: source, order: Order(recipes: [recipe]))
        #expect(local.digest == nil)
        try engine.cache.statIndex.remember(.local(StatKey(of: source.status)), for: source.status, readingBegan: .max)
        attacked.flip(to: shown)
        let known = try thumbnailer.digest(of: source)
        #expect(known == SHA256.digest(of: Array(shown.utf8)))
        #expect(kept(engine, for: shown) == nil)
        let made = try thumbnailer.thumbnails(of: source, order: Order(recipes: [recipe], wantsDigest: true))
        #expect(source.isUnchanged, "the times do not tell, or this test proves nothing")
        #expect(made.digest == known)
        #expect(try kept(engine, for: shown) == picture(of: shown))
    }

    @Test("A file that only this user can write to is not copied, and any other is")
    func copies() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let steps = { (source: SourceFile) in
            try engine.thumbnailer().thumbnails(of: source, order: Order(recipes: [recipe])).timings.steps.map(\.name)
        }
        #expect(try !steps(engine.source("tint 1 as image/png", name: "own.png")).contains("copy"))
        for (index, hands) in Hands.allCases.enumerated() {
            let attacked = try Attacked(engine, "tint \(index + 2) as image/png", in: hands)
            #expect(try steps(.open(attacked.path)).contains("copy"))
        }
    }

    @Test("A file that is open for writing is never answered from an earlier version")
    func notIndexed() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let attacked = try Attacked(engine, shown, in: .ownButOpenElsewhere)
        let old = [timespec(.seconds(1_000_000_000)), timespec(.seconds(1_000_000_000))]
        utimensat(AT_FDCWD, attacked.path, old, 0)
        let source = try SourceFile.open(attacked.path)
        _ = try engine.thumbnailer().thumbnails(of: source, order: Order(recipes: [recipe]))
        #expect(engine.cache.statIndex.key(for: source.status) == nil)
    }

    @Test("A decoder cannot write to its source, whatever the caller's descriptor allowed")
    func readOnly() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let path = "\(engine.folder)/input"
        let file = try Descriptor.open(path, O_RDWR | O_CREAT)
        try file.write(Array("tint 1".utf8))
        var ends: (Int32, Int32) = (-1, -1)
        withUnsafeMutableBytes(of: &ends) { _ = pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) }
        do { try Descriptor(owning: ends.1).write(Array("tint 1".utf8)) }
        let sources = [
            try SourceFile.standardInput(limit: 100, from: Descriptor(owning: ends.0)),
            try SourceFile.standardInput(limit: 100, from: file), try SourceFile.opened(file, name: "sent"),
            try SourceFile.inMemory(name: "made", bytes: Array("tint 1".utf8)),
        ]
        for source in sources {
            #expect(throws: SystemError.self, "\(source.name)") {
                try Mapping(of: source.descriptor.number, byteCount: 6, writable: true)
            }
            #expect(pwrite(source.descriptor.number, "x", 1, 0) == -1, "\(source.name)")
            #expect(try source.descriptor.bytes(at: 0, count: 6) == Array("tint 1".utf8))
        }
    }
}
