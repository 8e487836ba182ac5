internal import Linux
public import Media
internal import Synchronization

/// One render a source and recipe, across threads and processes: advisory locks (flock(2)) on files in `locks/`.
///
/// A lock ends with its holder, however that ends. It saves work and decides nothing: who does not get it in time renders
/// too, and both store the same; entries are replaced whole, so the worst outcome is one render too many.
public struct SingleFlight: Sendable {
    let folder: CacheFolder

    /// What is locked: one recipe of one source.
    public struct Flight: Hashable, Sendable {
        public let key: SourceKey
        public let recipe: Recipe

        public init(_ key: SourceKey, recipe: Recipe) {
            self.key = key
            self.recipe = recipe
        }

        /// The lock's file in `locks/`: `v1-<digest>-<recipe>.lock`.
        package var fileName: String {
            let parts = key.folder.split(separator: "/")
            return "\(parts.first!)-\(parts.last!)-\(recipe.name).lock"
        }
    }

    /// The locks that one render holds, until `release()` or the end of the process.
    public final class Hold: Sendable {
        /// Whether every lock was got. If not, somebody else may be rendering still, or locks cannot be had here.
        public let isComplete: Bool
        private let locks: Mutex<[LockFile]>

        init(_ locks: [LockFile], isComplete: Bool) {
            self.locks = Mutex(locks)
            self.isComplete = isComplete
        }

        /// Lets the next one render; a second call does nothing.
        public func release() { locks.withLock { $0.removeAll() } }
    }

    /// Waits for the locks of all `flights`, in one order for everyone, so that two never wait for each other.
    ///
    /// Afterwards look up again: who held the lock before has stored as a rule.
    /// - Parameters:
    ///   - deadline: on the monotonic clock; when it passes, or where the folder cannot be written, the answer comes without
    ///     the missing locks.
    ///   - isCancelled: asked now and then while another holds a lock; the answer then comes without that one, too.
    public func acquire(
        _ flights: [Flight], until deadline: Duration, isCancelled: () -> Bool = { false }
    ) -> Hold {
        var locks: [LockFile] = []
        let names = Set(flights.map(\.fileName)).sorted()
        for name in names {
            guard let lock = acquire(name, until: deadline, isCancelled) else { break }
            locks.append(lock)
        }
        return Hold(locks, isComplete: locks.count == names.count)
    }

    /// The pauses between looks at a lock that is held: short at first, since a render often takes some 10 ms.
    private static let shortestPause: Duration = .milliseconds(1)
    private static let longestPause: Duration = .milliseconds(20)

    private func acquire(_ name: String, until deadline: Duration, _ isCancelled: () -> Bool) -> LockFile? {
        var pause = Self.shortestPause
        while true {
            switch LockFile.acquire(name, in: folder) {
            case .acquired(let lock): return lock
            case .impossible: return nil
            case .held:
                let rest = deadline - Time.monotonic
                guard rest > .zero, !isCancelled() else { return nil }
                Time.sleep(min(pause, rest))
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }
}
