import CLinux
import JobQueue
import Linux
import Media
import ThumbnailCache

/// Checks that every accepted job came to its expected end.
struct Audit {
    private(set) var findings: [String] = []
    private(set) var counts: [(String, Int)] = []
    private let cache: FolderCache
    private let clockless: SQLiteQueue

    init(_ scratch: Scratch, _ sources: [JobID: Supply.Source], _ mode: ChaosMode) throws {
        cache = FolderCache(path: scratch.cache)
        clockless = try SQLiteQueue(path: scratch.queue)
        let completions = try Self.completions(in: scratch.journal)
        var tally: [String: Int] = [:]
        for (id, source) in sources.sorted(by: { $0.key < $1.key }) {
            let (job, attempts) = try clockless.show(id)
            tally[job.state.rawValue, default: 0] += 1
            tally["attempts", default: 0] += attempts.count
            for attempt in attempts {
                tally["attempts that ended as \(attempt.end?.rawValue ?? "open")", default: 0] += 1
            }
            judge(job, attempts, of: source)
            let tokens = completions.tokens[id] ?? []
            if tokens.count > 1 { findings.append("job \(id) was completed by \(tokens.count) leases") }
            if job.state == .dead, job.aloneDeathCount >= QueuePolicy().aloneDeathLimit {
                let isKiller = source.expectation == .killsWorkers
                tally["dead letters of \(isKiller ? "killers" : "others") by their workers' deaths", default: 0] += 1
            }
        }
        for damage in cache.verify() { findings.append("the cache: \(damage.place): \(damage.reason)") }
        let journalled = completions.tokens.keys.filter { sources[$0] == nil }
        for id in journalled { findings.append("job \(id) was completed, but never accepted") }
        for (name, count) in tally.sorted(by: { $0.key < $1.key }) {
            counts.append((JobState(rawValue: name) == nil ? name : "jobs \(name)", count))
        }
        for (name, count) in completions.kills.sorted(by: { $0.key < $1.key }) {
            counts.append(("killed by themselves \(name)", count))
        }
    }

    private mutating func judge(_ job: Job, _ attempts: [Attempt], of source: Supply.Source) {
        switch (job.state, source.expectation) {
        case (.done, .renditions(let expected)):
            compare(job, source, with: expected)
            let completed = attempts.filter { $0.end == .completed }.count
            if completed != 1 { findings.append("job \(job.id) is done, with \(completed) completed attempts") }
        case (.done, .dead(let code)):
            findings.append("job \(job.id) is done, but should be dead of \(code.rawValue)")
        case (.dead, .killsWorkers) where job.aloneDeathCount == QueuePolicy().aloneDeathLimit: break
        case (_, .killsWorkers): findings.append("job \(job.id) is \(job.state.rawValue), though it kills its workers")
        // Workers that died say nothing about the source.
        case (.dead, _) where job.aloneDeathCount >= QueuePolicy().aloneDeathLimit: break
        case (.dead, .dead(let code)) where job.lastFailure?.code == code: break
        case (.dead, _):
            let failure = job.lastFailure.map { "\($0)" } ?? "nothing"
            findings.append("job \(job.id) (\(source.path)) is dead of \(failure)")
        default: findings.append("job \(job.id) is \(job.state.rawValue) at the end")
        }
    }

    private mutating func compare(_ job: Job, _ source: Supply.Source, with expected: [Set<[UInt8]>]) {
        guard let digest = source.digest else { return }
        for (recipe, accepted) in zip(Supply.recipes, expected) {
            switch cache.lookup(.digest(digest), recipe: recipe, currentBuild: { nil }) {
            case .hit(let stored):
                if !accepted.contains(stored.rendition.bytes) {
                    findings.append("job \(job.id): \(recipe.readableName) of \(source.path) is another picture")
                }
            case .miss, .failure:
                findings.append("job \(job.id) is done, but the cache lacks \(recipe.readableName) of \(source.path)")
            }
        }
    }

    /// The leases whose completions were acknowledged, and the points at which workers killed themselves.
    private static func completions(
        in path: String
    ) throws -> (tokens: [JobID: Set<Substring>], kills: [String: Int]) {
        let bytes = try Descriptor.open(path, O_RDONLY).readAll(limit: 1 << 30) ?? []
        var tokens: [JobID: Set<Substring>] = [:]
        var kills: [String: Int] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "complete" where words.count == 3:
                tokens[JobID(rawValue: Int64(words[1]) ?? 0), default: []].insert(words[2])
            case "kill" where words.count == 2: kills[String(words[1]), default: 0] += 1
            default: break
            }
        }
        return (tokens, kills)
    }
}
