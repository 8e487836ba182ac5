import Console
import JobQueue
import Linux
import Media
import RenderHost
import SourceFiles
import ThumbnailCache
import Thumbnailer

/// Turns files into job requests, several files at once.
struct JobMaking {
    let settings: Settings
    let recipes: [Recipe]
    let priority: Priority
    private let thumbnailer: Thumbnailer

    /// The decision about one file.
    struct Plan: Sendable {
        let name: FilePath
        let outcome: Result<Outcome, Failure>

        /// What to do with a file that could be read.
        enum Outcome: Sendable {
            /// To be queued.
            case wanted(JobRequest)
            /// Not to be queued: the cache has all renditions.
            case cached
        }
    }

    init(_ settings: Settings, recipes: [Recipe], priority: Priority) throws(Failure) {
        self.settings = settings
        self.recipes = recipes
        self.priority = priority
        // The engine decodes nothing here: a renderer is started only to ask for its build.
        thumbnailer = Thumbnailer(
            host: RenderHost(programs: try .ofRunningProgram()),
            cache: try FolderCache(checking: settings.cachePath, trustedOwner: settings.cacheOwner),
            limits: settings.limits, maxUnhashedByteCount: settings.maxUnhashedByteCount, threadCount: 1,
            // If the stat index cannot be written, the next call hashes again, which deserves no warning.
            warn: { _ in })
    }

    /// Decides about each file, and delivers the plans in the files' order.
    func plan(
        _ entries: [SourceWalk.Entry],
        _ decide: @escaping @Sendable (JobMaking) -> (String) -> Result<Plan.Outcome, Failure>,
        finished: (Plan) throws(Failure) -> Void
    ) throws(Failure) {
        var bar = ProgressBar(total: entries.count)
        defer { bar.clear() }
        for start in stride(from: 0, to: entries.count, by: Self.portion) {
            let part = entries[start..<min(start + Self.portion, entries.count)]
            try plan(part, decide, finished, &bar)
        }
    }

    /// The number of files whose plans are in memory at once.
    private static let portion = 4096

    private func plan(
        _ entries: ArraySlice<SourceWalk.Entry>,
        _ decide: @escaping @Sendable (JobMaking) -> (String) -> Result<Plan.Outcome, Failure>,
        _ finished: (Plan) throws(Failure) -> Void, _ bar: inout ProgressBar
    ) throws(Failure) {
        let start = entries.startIndex
        var failure: Failure?
        do throws(SystemError) {
            try Parallel.map(
                count: entries.count, jobs: settings.jobCount,
                work: { index in
                    let entry = entries[start + index]
                    return Plan(name: entry.name, outcome: entry.path.flatMap { decide(self)($0) })
                },
                finished: { _, plan in
                    guard failure == nil else { return }
                    bar.clear()
                    do throws(Failure) { try finished(plan) } catch { failure = error }
                },
                waiting: { bar.show(start + $0) })
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        if let failure { throw failure }
    }

    /// A request with only the path, for `--no-hash`.
    func byPath(_ path: String) -> Result<Plan.Outcome, Failure> {
        .success(.wanted(request(path, digest: nil, recipes: recipes)))
    }

    /// A request with the path and digest. Remote content is not fetched for its digest.
    func hashed(_ path: String) -> Result<Plan.Outcome, Failure> {
        if SourceFile.isAddress(path) { return byPath(path) }
        return Result { () throws(Failure) in
            let digest = try thumbnailer.digest(of: try SourceFile.open(path))
            return .wanted(request(path, digest: digest, recipes: recipes))
        }
    }

    /// A request for the renditions that the cache lacks.
    func lacking(_ path: String) -> Result<Plan.Outcome, Failure> {
        Result { () throws(Failure) in
            let (digest, lacking) = try thumbnailer.lacking(recipes, of: try SourceFile.open(path))
            return lacking.isEmpty ? .cached : .wanted(request(path, digest: digest, recipes: lacking))
        }
    }

    private func request(_ path: String, digest: Digest?, recipes: [Recipe]) -> JobRequest {
        JobRequest(source: .outside(path), digest: digest, recipes: recipes, priority: priority)
    }
}

extension Priority {
    /// The priority that a flag names.
    init(named name: String) {
        self = Priority.allCases.first { $0.name == name } ?? .upload
    }
}
