import Console
import JobQueue
import Media

/// The output of `compass backfill`: a line for each file with missing renditions, and counts at the end.
struct BackfillReport {
    private let json: Bool
    private let isDry: Bool
    private var cachedCount = 0
    private var wantedCount = 0
    private var duplicateCount = 0
    private var failedCount = 0
    /// The exit status that the failures so far give.
    private(set) var status: Int32 = 0

    init(json: Bool, isDry: Bool) {
        self.json = json
        self.isDry = isDry
    }

    mutating func addCached() { cachedCount += 1 }

    /// A file that would be queued.
    mutating func addWanted(_ name: FilePath, _ request: JobRequest) {
        wantedCount += 1
        write(name, request, nil)
    }

    mutating func add(_ jobs: [JobBatch.Queued]) {
        for job in jobs {
            wantedCount += 1
            if job.answer.isDuplicate { duplicateCount += 1 }
            write(job.name, job.request, job.answer)
        }
    }

    mutating func add(_ failure: Failure, of name: FilePath) {
        failedCount += 1
        status = max(status, failure.exitStatus)
        FailedFile.write(name, failure, json: json)
    }

    func close() {
        StandardOutput.flush()
        var parts = ["\(cachedCount) in the cache", "\(wantedCount) \(isDry ? "would be queued" : "queued")"]
        if duplicateCount > 0 { parts[1] += " (\(duplicateCount) already were)" }
        if failedCount > 0 { parts.append("\(failedCount) failed") }
        let total = cachedCount + wantedCount + failedCount
        StandardError.write("compass: \(total) files: \(parts.joined(separator: ", "))\n")
    }

    private func write(_ name: FilePath, _ request: JobRequest, _ answer: Enqueued?) {
        let recipes = request.recipes.map(\.readableName)
        guard json else {
            StandardOutput.write(answer.map { "\($0.id)\t" } ?? "")
            StandardOutput.write(name)
            return StandardOutput.write("\t\(recipes.joined(separator: ","))\n")
        }
        let line = JSON.object([
            "source": .string(name.readable), "path": .string(request.source.location),
            "job": answer.map { .integer($0.id.rawValue) } ?? .null, "digest": request.digest.map { .string($0.hex) },
            "recipes": .array(recipes.map(JSON.string)), "duplicate": answer.map { .bool($0.isDuplicate) },
            "failure": .null,
        ])
        StandardOutput.write(line.text + "\n")
    }
}
