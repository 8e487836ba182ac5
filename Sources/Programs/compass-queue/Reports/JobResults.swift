import Console
import JobQueue
import Media
import SourceFiles
import ThumbnailCache
import Wire

/// The output of `compass enqueue --wait`: the renditions' paths on standard output, failures on standard error.
struct JobResults {
    private let settings: Settings
    private let cache: FolderCache
    private let recipes: [Recipe]
    private let json: Bool
    private let endsPathsWithZero: Bool
    /// The exit status that the failures so far give.
    private(set) var status: Int32 = 0

    init(settings: Settings, cache: FolderCache, recipes: [Recipe], json: Bool, endsPathsWithZero: Bool) {
        self.settings = settings
        self.cache = cache
        self.recipes = recipes
        self.json = json
        self.endsPathsWithZero = endsPathsWithZero
    }

    /// Prints a line for each file of a finished job; the job is `nil` if it was pruned in the meantime.
    mutating func print(_ job: Job?, files: [JobBatch.Queued]) {
        for file in files {
            let (stored, failure) = outcome(of: job, file)
            if let failure { status = max(status, failure.exitStatus) }
            if json {
                StandardOutput.write(object(job, file, stored, failure).text + "\n")
                continue
            }
            let paths = stored.compactMap(\.1.path).map { FilePath($0) }
            if !paths.isEmpty { StandardOutput.write(paths, endingEachWithZero: endsPathsWithZero) }
            if let failure { StandardError.write("compass: \(file.name.shown): \(failure.line)\n") }
        }
    }

    private typealias Stored = (Recipe, StoredRendition)

    private func outcome(of job: Job?, _ file: JobBatch.Queued) -> ([Stored], Failure?) {
        switch job?.state {
        case .dead: return ([], job?.lastFailure ?? Failure(.crashed))
        case .cancelled: return ([], Failure(.cancelled, message: "The job was cancelled."))
        default:
            do throws(Failure) { return stored(try key(of: job, file)) } catch { return ([], error) }
        }
    }

    /// The key of the renditions. For a job that was queued by path alone, the worker or the stat index has the digest.
    /// A remote source is asked for its version.
    private func key(of job: Job?, _ file: JobBatch.Queued) throws(Failure) -> SourceKey? {
        if let digest = job?.digest ?? file.request.digest { return .digest(digest) }
        let location = file.request.source.location
        if case .address = file.request.source {
            return try SourceFile.fetched(FetchTarget(location, settings)).rangedKey
        }
        return (try? SourceFile.open(location)).flatMap { cache.statIndex.key(for: $0.status) }
    }

    private func stored(_ key: SourceKey?) -> ([Stored], Failure?) {
        var stored: [Stored] = []
        var failure: Failure?
        for recipe in recipes {
            // There is no build to compare, so a kept failure counts: the worker has just stored it.
            switch key.map({ cache.lookup($0, recipe: recipe, currentBuild: { nil }) }) {
            case .hit(let rendition): stored.append((recipe, rendition))
            case .failure(let kept): failure = failure ?? kept.failure
            case .miss, nil: failure = failure ?? missing
            }
        }
        return (stored, failure)
    }

    private var missing: Failure {
        Failure(
            .unavailable,
            message:
                "The job is done, but its rendition is not in the cache \(cache.path). Does thumbd use another cache?"
        )
    }

    private func object(_ job: Job?, _ file: JobBatch.Queued, _ stored: [Stored], _ failure: Failure?) -> JSON {
        let renditions = stored.map { recipe, stored in
            JSON.object([
                "recipe": .string(recipe.readableName), "path": stored.path.map(JSON.string),
                "format": .string(stored.rendition.format.rawValue), "width": .integer(Int64(stored.rendition.width)),
                "height": .integer(Int64(stored.rendition.height)),
                "byteCount": .integer(Int64(stored.rendition.bytes.count)), "poster": stored.rendition.poster?.json,
            ])
        }
        return .object([
            "source": .string(file.name.readable), "path": .string(file.request.source.location),
            "job": .integer(file.answer.id.rawValue), "state": job.map { .string($0.state.rawValue) },
            "digest": (job?.digest ?? file.request.digest).map { .string($0.hex) }, "renditions": .array(renditions),
            "failure": failure?.json ?? .null,
        ])
    }
}
