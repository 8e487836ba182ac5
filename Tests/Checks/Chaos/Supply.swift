import CLinux
import Hashing
import JobQueue
import Linux
import Media
import RenderHost
import SourceFiles
import TestSupport
import ThumbnailCache
import Thumbnailer

/// An endless supply of sources, with the expected outcome of each.
///
/// Each is a sample with a number appended: its content is unique, its picture the sample's.
final class Supply {
    static let recipes = [Preset.grid.recipe, Preset.list.recipe]

    /// The expected outcome of a source.
    enum Expectation: Equatable {
        /// The renditions' bytes for each recipe: made together, or alone if one was stored already.
        case renditions([Set<[UInt8]>])
        case dead(Failure.Code)
        /// Every worker that starts it dies.
        case killsWorkers
    }

    struct Source {
        let path: String
        let digest: Digest?
        let expectation: Expectation
    }

    private static let names = [
        "orientation-1.jpg", "alpha.png", "card.webp", "drawing.svg", "pages-24.pdf", "h264.mp4", "letter.rtf",
        "claims-65535x65535.png",
    ]

    private let folder: String
    private let hasKillers: Bool
    private var samples: [(name: String, bytes: [UInt8], expectation: Expectation)] = []
    private var count = 0

    /// Makes the expected renditions, undisturbed and without a cache.
    ///
    /// - Parameter hasKillers: whether one source in a hundred kills the workers that start it.
    init(samples: String, programs: String, folder: String, hasKillers: Bool) throws {
        self.folder = folder
        self.hasKillers = hasKillers
        let host = RenderHost(programs: RendererPrograms(directory: programs))
        defer { host.shutDown() }
        let engine = Thumbnailer(
            host: host, cache: nil, limits: Limits(), maxUnhashedByteCount: 16 << 20, threadCount: 1, warn: { _ in })
        for name in Self.names {
            guard let bytes = try Descriptor.open("\(samples)/\(name)", O_RDONLY).readAll(limit: 8 << 20) else {
                continue
            }
            let source = try SourceFile.inMemory(name: name, bytes: Self.numbered(bytes, 0))
            let expectation: Expectation
            do throws(Failure) {
                var renditions = [Set<[UInt8]>](repeating: [], count: Self.recipes.count)
                for indices in [Array(Self.recipes.indices)] + Self.recipes.indices.map({ [$0] }) {
                    let order = Order(recipes: indices.map { Self.recipes[$0] })
                    let results = try engine.thumbnails(of: source, order: order).results
                    for (index, result) in zip(indices, results) {
                        renditions[index].insert(try result.get().rendition.bytes)
                    }
                }
                expectation = .renditions(renditions)
            } catch {
                expectation = .dead(error.code)
            }
            self.samples.append((name, bytes, expectation))
        }
    }

    /// The next sources: most are sound, some are missing or were changed after enqueueing.
    func next(_ number: Int, _ dice: inout SplitMix) throws -> [(source: Source, request: JobRequest)] {
        try (0..<number).map { _ in try next(&dice) }
    }

    private func next(_ dice: inout SplitMix) throws -> (source: Source, request: JobRequest) {
        count += 1
        let sample = samples.randomElement(using: &dice)!
        let bytes = Self.numbered(sample.bytes, count)
        let path = "\(folder)/\(count)-\(sample.name)"
        let digest = SHA256.digest(of: bytes)
        if hasKillers, count.isMultiple(of: 100) { return try nextKiller(sample.bytes, digest) }
        var expectation = sample.expectation
        var told: Digest? = Bool.random(using: &dice) ? digest : nil
        let isMissing = dice.shows(2)
        if isMissing { expectation = .dead(.sourceMissing) }
        if !isMissing, dice.shows(2) {
            told = SHA256.digest(of: Self.numbered(sample.bytes, -count))
            expectation = .dead(.sourceMissing)
        }
        if !isMissing { try Descriptor.open(path, O_WRONLY | O_CREAT).write(bytes) }
        let request = JobRequest(
            source: .path(path), digest: told, recipes: Self.recipes,
            priority: Priority.allCases.randomElement(using: &dice)!)
        return (Source(path: path, digest: digest, expectation: expectation), request)
    }

    private func nextKiller(_ bytes: [UInt8], _ digest: Digest) throws -> (source: Source, request: JobRequest) {
        let path = "\(folder)/\(count)\(Self.killerSuffix)"
        try Descriptor.open(path, O_WRONLY | O_CREAT).write(Self.numbered(bytes, count))
        return (
            Source(path: path, digest: digest, expectation: .killsWorkers),
            JobRequest(source: .path(path), recipes: Self.recipes)
        )
    }

    /// Whether a worker dies when it starts this source.
    static func isKiller(_ path: String) -> Bool { path.hasSuffix(killerSuffix) }

    private static let killerSuffix = "-killer"

    private static func numbered(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
        bytes + Array("\n<!-- \(number) -->".utf8)
    }
}
