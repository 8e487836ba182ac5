import HTTPServing
import JobQueue
import Linux
import Media
import Synchronization
import Thumbnailer
import Worker

/// Counts the jobs, and the requests at the warm socket, since the service started.
final class Metrics: Sendable {
    /// A series' labels as they are printed: `kind="renditions",outcome="done"`.
    private typealias Labels = String

    private struct State {
        var outcomes: [Labels: UInt64] = [:]
        var failures: [Labels: UInt64] = [:]
        var durations: [Labels: Histogram] = [:]
        var waits: [Labels: Histogram] = [:]
        var steps: [Labels: Histogram] = [:]
        var cacheHits: UInt64 = 0
        var cacheMisses: UInt64 = 0
        var troubles: [Labels: UInt64] = [:]
        var reclaimed: UInt64 = 0
        var pruned: UInt64 = 0
        var evictedBytes: UInt64 = 0
        var warm = WarmState()
    }

    private struct WarmState {
        var outcomes: [Labels: UInt64] = [:]
        var failures: [Labels: UInt64] = [:]
        var durations: [Labels: Histogram] = [:]
        var cacheHits: UInt64 = 0
        var cacheMisses: UInt64 = 0
    }

    private let state = Mutex(State())

    func note(_ event: WorkerEvent) {
        state.withLock { state in
            switch event {
            case .finished(let report): Self.count(report, in: &state)
            case .troubleBegan(let dependency, _):
                state.troubles["dependency=\"\(dependency.rawValue)\"", default: 0] += 1
            case .troubleEnded, .neighbour: break
            case .reclaimed(let jobCount, _): state.reclaimed += UInt64(jobCount)
            case .tidied(let jobCount, let byteCount):
                state.pruned += UInt64(jobCount)
                state.evictedBytes += UInt64(byteCount)
            }
        }
    }

    private static func count(_ report: JobReport, in state: inout State) {
        let kind = "kind=\"\(report.job.kind)\""
        let priority = "priority=\"\(report.job.priority)\""
        state.outcomes["\(kind),\(priority),outcome=\"\(report.outcome.rawValue)\"", default: 0] += 1
        if let failure = report.failure { state.failures["code=\"\(failure.code.rawValue)\"", default: 0] += 1 }
        state.durations["\(kind),outcome=\"\(report.outcome.rawValue)\"", default: Histogram()]
            .observe(report.duration.milliseconds / 1000)
        state.waits[priority, default: Histogram()].observe(report.waited.milliseconds / 1000)
        for timing in report.timings {
            state.steps["step=\"\(timing.step)\"", default: Histogram()].observe(timing.milliseconds / 1000)
        }
        guard report.outcome == .done else { return }
        if report.isCached { state.cacheHits += 1 } else { state.cacheMisses += 1 }
    }

    func note(_ request: WarmServer.Served) {
        state.withLock { state in
            let outcome = "outcome=\"\(request.outcome.name)\""
            state.warm.outcomes[outcome, default: 0] += 1
            state.warm.durations[outcome, default: Histogram()].observe(request.duration.milliseconds / 1000)
            switch request.outcome {
            case .made(isCached: true): state.warm.cacheHits += 1
            case .made(isCached: false): state.warm.cacheMisses += 1
            case .failed(let failure): state.warm.failures["code=\"\(failure.code.rawValue)\"", default: 0] += 1
            case .refused, .busy: break
            }
        }
    }

    /// The number of attempts that ended here, with any outcome.
    var finishedCount: UInt64 { state.withLock { $0.outcomes.values.reduce(0, +) } }

    /// All counted metrics in Prometheus' text format.
    var families: [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            .counter("compass_jobs_total", "Job attempts that ended in this process, by outcome.", state.outcomes),
            .counter("compass_job_failures_total", "Attempts that failed, by the failure's code.", state.failures),
            .histogram("compass_job_duration_seconds", "From the claim to the end of an attempt.", state.durations),
            .histogram("compass_job_wait_seconds", "From when a job can be claimed to its claim.", state.waits),
            .histogram("compass_step_duration_seconds", "One step's share of an attempt.", state.steps),
            .counter("compass_cache_hits_total", "Jobs whose renditions were all in the cache.", ["": state.cacheHits]),
            .counter("compass_cache_misses_total", "Jobs for which media was opened.", ["": state.cacheMisses]),
            .counter("compass_troubles_total", "How often a dependency became unreachable.", state.troubles),
            .counter(
                "compass_jobs_taken_over_total", "Jobs taken over from workers that died.", ["": state.reclaimed]),
            .counter("compass_jobs_pruned_total", "Done jobs that were deleted for their age.", ["": state.pruned]),
            .counter(
                "compass_cache_evicted_bytes_total", "Bytes evicted from the cache to keep its budget.",
                ["": state.evictedBytes]),
        ] + Self.families(state.warm)
    }

    private static func families(_ state: WarmState) -> [MetricFamily] {
        [
            .counter(
                "compass_warm_requests_total", "Warm-socket requests that ended in this process, by outcome.",
                state.outcomes),
            .counter(
                "compass_warm_request_failures_total", "Requests that failed, by the failure's code.", state.failures),
            .histogram(
                "compass_warm_request_duration_seconds", "From the connection to the end of a request.",
                state.durations),
            .counter(
                "compass_warm_cache_hits_total", "Requests whose renditions were all in the cache by then.",
                ["": state.cacheHits]),
            .counter(
                "compass_warm_cache_misses_total", "Requests for which media was opened.", ["": state.cacheMisses]),
        ]
    }
}

extension WarmServer.Served.Outcome {
    /// The outcome's word in metrics.
    fileprivate var name: String {
        switch self {
        case .made: "made"
        case .failed: "failed"
        case .refused: "refused"
        case .busy: "busy"
        }
    }
}
