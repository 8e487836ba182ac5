internal import Linux
public import Media
internal import Synchronization

/// One render per source and recipe at a time, across threads and processes, with advisory locks (flock(2)) on files in
/// `locks/`.
///
/// The kernel releases a lock when its holder ends. The locks only save work: a process that does not get one in time
/// renders too, and both store the same result. Entries are replaced as a whole, so the worst outcome is one extra
/// render.
public struct SingleFlight: Sendable {
    let folder: CacheFolder

    /// One recipe of one source, or the text of one of its parts.
    public struct Flight: Hashable, Sendable {
        /// The source.
        public let key: SourceKey
        /// The recipe's name, `text-p17` or `text`.
        private let name: String

        /// The flight that makes `recipe` from the source with this key.
        public init(_ key: SourceKey, recipe: Recipe) {
            self.key = key
            name = recipe.name
        }

        /// The flight that reads the text of a part of the source with this key.
        public init(_ key: SourceKey, textOf part: TextPart) {
            self.key = key
            name = CacheLayout.textName(part)
        }

        /// The lock's file in `locks/`: `v1-<digest>-<recipe>.lock`.
        package var fileName: String {
            let parts = key.folder.split(separator: "/")
            return "\(parts.first!)-\(parts.last!)-\(name).lock"
        }
    }

    /// The locks of one render, held until `release()` or the end of the process.
    public final class Hold: Sendable {
        /// Whether every lock is held. If not, another process may still render, or this folder does not support locks.
        public let isComplete: Bool
        private let locks: Mutex<[LockFile]>

        init(_ locks: [LockFile], isComplete: Bool) {
            self.locks = Mutex(locks)
            self.isComplete = isComplete
        }

        /// Releases the locks; a second call does nothing.
        public func release() { locks.withLock { $0.removeAll() } }
    }

    /// Waits for the locks of all `flights`, always in the order of their names, so that two callers never wait for
    /// each other.
    ///
    /// The caller looks up again afterwards: the previous holder has usually stored the renditions.
    /// - Parameters:
    ///   - deadline: on the monotonic clock; when it passes, or if the folder cannot be written, the result lacks the
    ///     missing locks.
    ///   - isCancelled: checked after each pause while another process holds a lock; if it is true, the result lacks
    ///     that lock too.
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

    /// The pauses between checks of a held lock: short at first, because a render often takes some 10 ms.
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
