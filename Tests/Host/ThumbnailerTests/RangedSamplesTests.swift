import CLinux
import Hashing
import Linux
import Media
import RenderHost
import SourceFiles
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

/// Every sample gives the same through a window as from its file: what the readers of each format do with bytes that come as
/// they are asked for.
@Suite("Sources that are read from afar", .deadline)
struct RangedSamplesTests {
    /// A file of this machine, as if it lay elsewhere.
    private struct FileContent: RangedContent {
        let file: Descriptor
        let byteCount: Int64

        init(_ path: String) throws {
            file = try Descriptor.open(path, O_RDONLY)
            byteCount = try file.status().byteCount
        }

        func fetch(
            _ range: Range<Int64>, into target: Descriptor, within patience: Duration
        ) throws(Failure) -> Range<Int64> {
            do throws(SystemError) {
                let bytes = try file.bytes(at: range.lowerBound, count: range.count)
                try bytes.withUnsafeBytes { bytes in
                    Result { () throws(SystemError) in try target.write(bytes, at: range.lowerBound) }
                }.get()
            } catch {
                throw Failure(.unavailable, detail: "\(error)")
            }
            return range
        }
    }

    private static let host = RenderHost(programs: RendererPrograms(directory: BuiltPrograms.folder))

    private static let names: [String] = {
        let names = (try? FolderNames.bytes(in: "\(Checkout.folder)/samples")) ?? []
        return names.map { String(decoding: $0, as: UTF8.self) }.filter { name in
            guard let status = try? FileStatus.of(path: Checkout.sample(name)) else { return false }
            return status.isRegularFile && status.byteCount > 0 && !["make", "README.md"].contains(name)
        }.sorted()
    }()

    private func engine(cache: FolderCache? = nil) -> Thumbnailer {
        Thumbnailer(
            host: Self.host, cache: cache, limits: Limits(), maxUnhashedByteCount: 16 << 20, threadCount: 2,
            warn: { _ in })
    }

    private func ranged(_ path: String, key: SourceKey? = nil) throws -> SourceFile {
        let content = try FileContent(path)
        let known = StatKey(ofAddress: "https://example.org/a", version: "1", byteCount: content.byteCount)
        return try SourceFile(
            name: path, ranged: try RangedSource(content, folder: "/tmp"), key: key ?? .local(known))
    }

    @Test("The pictures, facts and failures of every sample are those of its file", arguments: names)
    func sameAsFile(name: String) throws {
        let path = Checkout.sample(name)
        let recipes = [
            Recipe(box: Box(width: 160, height: 120)!, fit: .inside),
            Recipe(box: Box(width: 48, height: 48)!, fit: .cover),
        ]
        func outcome(_ source: SourceFile) -> (results: [Result<[UInt8], Failure>], facts: Facts?) {
            do {
                let made = try engine().thumbnails(of: source, order: Order(recipes: recipes))
                return (made.results.map { $0.map(\.rendition.bytes) }, made.facts)
            } catch {
                return ([.failure(error)], nil)
            }
        }
        let (near, far) = (outcome(try .open(path)), outcome(try ranged(path)))
        #expect(near.facts == far.facts)
        #expect(near.results.map { try? $0.get() } == far.results.map { try? $0.get() })
        for case (.failure(let near), .failure(let far)) in zip(near.results, far.results) {
            #expect(near.code == far.code && near.message == far.message)
        }
    }

    @Test("The text of a page is that of its file")
    func text() throws {
        let path = Checkout.sample("pages-24.pdf")
        #expect(try engine().text(of: try ranged(path), page: 6) == engine().text(of: try .open(path), page: 6))
    }

    @Test("What was made is found again by address and version, and by no other")
    func cached() throws {
        let folder = TemporaryFolder.make("ranged")
        defer { system("rm -rf '\(folder)'") }
        let engine = engine(cache: FolderCache(path: "\(folder)/cache"))
        let order = Order(recipes: [Recipe(box: Box(width: 48, height: 48)!, fit: .cover)])
        let path = Checkout.sample("orientation-1.jpg")
        #expect(try !engine.thumbnails(of: try ranged(path), order: order).isCached)
        #expect(try engine.thumbnails(of: try ranged(path), order: order).isCached)
        let other = StatKey(ofAddress: "https://example.org/a", version: "2", byteCount: 1)
        #expect(try !engine.thumbnails(of: try ranged(path, key: .local(other)), order: order).isCached)
    }

    @Test("A digest that is wanted takes all bytes, and is that of the file")
    func digest() throws {
        let path = Checkout.sample("pages-24.pdf")
        let source = try ranged(path)
        let digest = try SHA256.digest(of: try Descriptor.open(path, O_RDONLY))
        #expect(
            try engine().thumbnails(of: source, order: Order(recipes: [Preset.list.recipe], wantsDigest: true)).digest
                == digest)
        #expect(source.ranged?.fetched.byteCount == source.byteCount)
    }
}
