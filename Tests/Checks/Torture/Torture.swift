import CLinux
import Linux
import Media
import RenderHost
import Synchronization
import TestSupport
import Wire

/// The run: each mutant goes to the sniffer, then to the renderer for the original file's type.
final class Torture: Sendable {
    private let host: RenderHost
    private let files: [String]
    private let seed: UInt64
    private let outcomes = Mutex(Outcomes())

    private struct Outcomes {
        var counts: [String: Int] = [:]
        var late: [String] = []
        /// Mutants whose child died, kept for inspection.
        var deaths: [String] = []
        var peakByteCount: UInt64 = 0
        var mediaTypes: [String: MediaType] = [:]
    }

    private static let deadline: Duration = .seconds(10)

    init(host: RenderHost, files: [String], seed: UInt64) {
        self.host = host
        self.files = files
        self.seed = seed
    }

    func run(_ numbers: Range<Int>, threads: Int) {
        let next = Mutex(numbers.lowerBound)
        let workers = (0..<threads).map { index in
            try! WorkerThread(name: "torture-\(index)") {
                while let number = next.withLock({ next -> Int? in
                    guard next < numbers.upperBound else { return nil }
                    defer { next += 1 }
                    return next
                }) { self.torture(number) }
            }
        }
        for worker in workers { worker.join() }
    }

    private func torture(_ number: Int) {
        // A seed stands for the same mutants as in earlier runs.
        var random = SplitMix(seed: (seed &+ UInt64(number)) &* 0x9E37_79B9_7F4A_7C15)
        let path = files[Int(random.next() % UInt64(files.count))]
        guard let original = Folder.bytes(of: path), !original.isEmpty else { return }
        let other = Folder.bytes(of: files[Int(random.next() % UInt64(files.count))]) ?? []
        let mutant = Mutation.mutant(of: original, splicing: other, &random)
        let start = Time.monotonic
        let outcome = outcome(of: mutant, mediaType: mediaType(of: path, original))
        let isLate = Time.monotonic - start > Self.deadline * 2 + .seconds(5)
        outcomes.withLock { outcomes in
            outcomes.counts[outcome, default: 0] += 1
            if isLate { outcomes.late.append("\(number) (\(path))") }
            if outcome.contains("crashed") || outcome.contains("sandboxed") {
                outcomes.deaths.append("\(number) (\(path))")
            }
        }
    }

    /// The sniffer's answer for the original file, asked once for each file.
    private func mediaType(of path: String, _ bytes: [UInt8]) -> MediaType? {
        if let known = outcomes.withLock({ $0.mediaTypes[path] }) { return known }
        guard let source = Folder.source(bytes), let facts = try? host.sniff(source, limits: Limits()) else {
            return nil
        }
        outcomes.withLock { $0.mediaTypes[path] = facts.mediaType }
        return facts.mediaType
    }

    private func outcome(of bytes: [UInt8], mediaType: MediaType?) -> String {
        guard !bytes.isEmpty, let source = Folder.source(bytes) else { return "empty" }
        var limits = Limits()
        limits.wallTime = Self.deadline
        do throws(Failure) {
            let sniffed = try host.sniff(source, limits: limits)
            guard let type = mediaType, let rendererClass = Self.rendererClass(of: type) else { return "sniff ok" }
            let picture = RenderTask.Picture(
                box: Box(width: 240, height: 180)!, fit: .cover, gravity: .centre, enlarge: false)
            // Whatever type the mutant has now, the original's renderer must survive it.
            var task = RenderTask(mediaType: type, limits: limits, pictures: rendererClass == .text ? [] : [picture])
            task.readsText = rendererClass == .text
            let rendered = try host.perform(task, on: source, by: rendererClass)
            outcomes.withLock { $0.peakByteCount = max($0.peakByteCount, rendered.usage.peakByteCount) }
            _ = sniffed
            return rendererClass == .text ? "text read" : "\(rendererClass.name) rendition"
        } catch {
            let name = mediaType.flatMap(Self.rendererClass)?.name ?? "sniff"
            let detail = error.code == .sandboxed || error.code == .crashed ? " (\(error.detail))" : ""
            return "\(name) \(error.code.rawValue)\(detail)"
        }
    }

    /// The class that draws a type, or else the one that reads its text.
    private static func rendererClass(of type: MediaType) -> RendererClass? { type.rendererClass ?? type.textClass }

    /// Whether no mutant was late and none ended by a fault of ours.
    var isClean: Bool {
        outcomes.withLock { outcomes in
            outcomes.late.isEmpty && !outcomes.counts.keys.contains(where: Self.isOurFault)
        }
    }

    /// A fault of ours: a trap, a call missing from a filter, a dead renderer, a nonsensical answer. A crash of a
    /// library is none: children exist for that.
    private static func isOurFault(_ outcome: String) -> Bool {
        let deathsOfLibraries = [SIGABRT, SIGBUS, SIGFPE, SIGSEGV].map { "crashed (signal \($0))" }
        return outcome.hasSuffix("unavailable") || outcome == "empty" || outcome.contains("sandboxed")
            || outcome.contains("crashed") && !deathsOfLibraries.contains(where: outcome.hasSuffix)
    }

    func printTally() {
        outcomes.withLock { outcomes in
            for (outcome, count) in outcomes.counts.sorted(by: { $0.key < $1.key }) { print("\(count)\t\(outcome)") }
            for late in outcomes.late { print("late: \(late)") }
            for death in outcomes.deaths { print("child died: \(death)") }
            print("largest child: \(outcomes.peakByteCount / 1_000_000) MB resident")
        }
    }
}
