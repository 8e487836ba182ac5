internal import Linux
internal import Synchronization

/// The progress of a body: its reader updates it, and its watchdog checks it.
///
/// Only the time that the service waits for the client counts: a slow disk is not the client's fault.
final class BodyProgress: Sendable {
    private struct State {
        var byteCount = 0
        var waited = Duration.zero
        var waitingSince: Duration?
    }

    private let state = Mutex(State())
    let stallTime: Duration
    private let graceTime: Duration
    private let leastSpeed: Int

    /// - Parameter usual: the service's maximum time without a byte.
    init(_ limits: BodyLimits, usual: Duration) {
        stallTime = limits.stallTime ?? usual
        graceTime = limits.graceTime ?? usual
        leastSpeed = limits.leastSpeed
    }

    func beginWaiting() { state.withLock { $0.waitingSince = Time.monotonic } }

    func note(_ byteCount: Int) {
        state.withLock { state in
            if let since = state.waitingSince { state.waited += Time.monotonic - since }
            state.waitingSince = nil
            state.byteCount += byteCount
        }
    }

    var isTooSlow: Bool { isSlower(than: leastSpeed, after: graceTime, orSilentFor: stallTime) }

    /// Whether a body holds memory for too long while others wait for it: after 5 s without a byte, or below 32 KiB/s
    /// after 10 s.
    var isTooSlowForOthers: Bool {
        isSlower(
            than: max(leastSpeed, 32 << 10), after: min(graceTime, .seconds(10)),
            orSilentFor: min(stallTime, .seconds(5)))
    }

    private func isSlower(than leastSpeed: Int, after graceTime: Duration, orSilentFor stallTime: Duration) -> Bool {
        state.withLock { state in
            let wait = state.waitingSince.map { Time.monotonic - $0 } ?? .zero
            if wait >= stallTime { return true }
            let waited = state.waited + wait
            guard wait > .zero, waited >= graceTime else { return false }
            return Double(state.byteCount) < Double(leastSpeed) * waited.milliseconds / 1000
        }
    }
}
