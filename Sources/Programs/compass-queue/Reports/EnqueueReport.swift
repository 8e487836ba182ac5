import Console
import JobQueue
import Media

/// The output of `compass enqueue`: each file's job on standard output, or its failure on standard error.
struct EnqueueReport {
    private let json: Bool
    private let isSilent: Bool
    private var count = 0
    private var knownCount = 0
    /// The jobs that were not printed, for `--wait`.
    private(set) var queued: [JobBatch.Queued] = []
    /// The exit status that the failures so far give.
    private(set) var status: Int32 = 0

    /// - Parameter isSilent: the jobs are kept in `queued` and not printed, because their results are printed later.
    init(json: Bool, isSilent: Bool) {
        self.json = json
        self.isSilent = isSilent
    }

    mutating func add(_ jobs: [JobBatch.Queued]) {
        count += jobs.count
        knownCount += jobs.count { $0.answer.isDuplicate }
        if isSilent { queued += jobs } else { for job in jobs { write(job) } }
    }

    mutating func add(_ failure: Failure, of name: FilePath) {
        status = max(status, failure.exitStatus)
        FailedFile.write(name, failure, json: json)
    }

    /// Prints the number of jobs if standard error is a terminal.
    func close() {
        StandardOutput.flush()
        guard StandardError.isTerminal else { return }
        let text = count == 1 ? "1 file is queued" : "\(count) files are queued"
        StandardError.write("compass: \(text)\(knownCount == 0 ? "" : "; \(knownCount) of them already were")\n")
    }

    private func write(_ job: JobBatch.Queued) {
        guard json else {
            StandardOutput.write("\(job.answer.id)\t")
            StandardOutput.write(job.name)
            return StandardOutput.write("\n")
        }
        let line = JSON.object([
            "source": .string(job.name.readable), "path": .string(job.request.source.location),
            "job": .integer(job.answer.id.rawValue), "digest": job.request.digest.map { .string($0.hex) },
            "duplicate": .bool(job.answer.isDuplicate), "failure": .null,
        ])
        StandardOutput.write(line.text + "\n")
    }
}
