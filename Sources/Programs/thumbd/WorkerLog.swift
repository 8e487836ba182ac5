import JobQueue
import Linux
import Logging
import Media
import Worker

/// Logs the worker's events. A line about a job has its number, attempt, digest, path, outcome and milliseconds.
struct WorkerLog: Sendable {
    let logger: Logger

    func write(_ event: WorkerEvent) {
        switch event {
        case .finished(let report): write(report)
        case .troubleBegan(let dependency, let detail):
            logger.error(
                "\(dependency.rawValue) is unreachable: pausing, then retrying",
                metadata: ["dependency": "\(dependency.rawValue)", "reason": "\(detail)"])
        case .troubleEnded(let dependency, let duration):
            logger.notice(
                "\(dependency.rawValue) is reachable again",
                metadata: ["dependency": "\(dependency.rawValue)", "ms": "\(rounded(duration))"])
        case .reclaimed(let jobCount, let name):
            logger.notice("took over from a worker that died", metadata: ["jobs": "\(jobCount)", "worker": "\(name)"])
        case .neighbour(let name, let version, true):
            logger.info(
                "another worker shares this queue", metadata: ["worker": "\(name)", "version": "\(version)"])
        case .neighbour(let name, let version, false):
            logger.warning(
                """
                another version of thumbd uses this queue: that is safe, because leases separate them and both know the \
                queue's tables; stop the older one
                """, metadata: ["worker": "\(name)", "version": "\(version)", "own": "\(Release.version)"])
        case .tidied(let jobCount, let byteCount):
            logger.info("tidied", metadata: ["jobs": "\(jobCount)", "bytes": "\(byteCount)"])
        }
    }

    private func write(_ report: JobReport) {
        var fields: Logger.Metadata = [
            "job": "\(report.job.id)", "attempt": "\(report.attempt.map(String.init) ?? "none")",
            "digest": "\(report.digest?.hex ?? "unknown")", "path": "\(report.job.source.location)",
            "outcome": "\(report.outcome.rawValue)", "ms": "\(rounded(report.duration))",
            "waitedMs": "\(rounded(report.waited))", "cached": "\(report.isCached)",
            "priority": "\(report.job.priority)", "kind": "\(report.job.kind)",
        ]
        if report.job.lease?.isAlone == true { fields["alone"] = "true" }
        if let failure = report.failure {
            fields["code"] = "\(failure.code.rawValue)"
            fields["reason"] = "\(failure.message)"
            if !failure.detail.isEmpty { fields["detail"] = "\(failure.detail)" }
        }
        logger.log(level: level(of: report.outcome), "job \(report.outcome.rawValue)", metadata: fields)
    }

    private func level(of outcome: JobReport.Outcome) -> Logger.Level {
        switch outcome {
        case .done, .released: .info
        case .retrying, .leaseLost: .notice
        case .dead: .warning
        }
    }

    /// Milliseconds with one decimal.
    private func rounded(_ duration: Duration) -> Double { (duration.milliseconds * 10).rounded() / 10 }
}
