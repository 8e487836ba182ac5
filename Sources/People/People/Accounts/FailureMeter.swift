internal import Synchronization

/// Counts failed sign-ins by account or by client, and decides when the next attempt is allowed.
final class FailureMeter: Sendable {
    private struct Count {
        var failures = 0
        var last: Duration
    }

    private let counts = Mutex<[String: Count]>([:])
    private let freeCount: Int
    /// The most names that are kept.
    private static let mostNames = 20_000
    private static let longest = Duration.seconds(300)

    /// - Parameter freeCount: how many failures cause no wait.
    init(freeCount: Int) { self.freeCount = freeCount }

    /// How long the next attempt must wait: 1 s after the first failure that counts, then twice as long each time.
    func wait(for name: String, at now: Duration) -> Duration? {
        counts.withLock { counts in
            guard let count = counts[name], count.failures >= freeCount else { return nil }
            let wait = min(Duration.seconds(1 << min(count.failures - freeCount, 20)), Self.longest)
            let end = count.last + wait
            return now < end ? end - now : nil
        }
    }

    /// Counts a failure.
    func fail(_ name: String, at now: Duration) {
        counts.withLock { counts in
            if counts.count >= Self.mostNames { counts = counts.filter { now < $0.value.last + Self.longest } }
            if counts.count >= Self.mostNames, counts[name] == nil { return }
            var count = counts[name] ?? Count(last: now)
            if now > count.last + Self.longest { count.failures = 0 }
            count.failures += 1
            count.last = now
            counts[name] = count
        }
    }

    /// Forgets the failures of a name.
    func succeed(_ name: String) { counts.withLock { _ = $0.removeValue(forKey: name) } }
}
