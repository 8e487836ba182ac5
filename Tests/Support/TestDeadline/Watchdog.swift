internal import Glibc
internal import Linux
internal import Synchronization

/// Ends this process when a test hangs. It runs on its own thread, which no test can block.
final class Watchdog: Sendable {
    static let shared = Watchdog()

    private struct Entry {
        let name: String
        let limit: Duration
        let began: Duration
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var beginCount = 0
        var lastEnd = Duration.zero
        var thread: WorkerThread?
    }

    private let state = Mutex(State())

    /// Records that a test begins.
    ///
    /// - Returns: the key that ends the record.
    func begin(_ name: String, _ limit: Duration) -> Int {
        state.withLock { state in
            if state.thread == nil { state.thread = try? WorkerThread(name: "watchdog", watch) }
            state.beginCount += 1
            state.entries[state.beginCount] = Entry(name: name, limit: limit, began: Time.monotonic)
            return state.beginCount
        }
    }

    func end(_ place: Int) {
        state.withLock { state in
            state.entries[place] = nil
            state.lastEnd = Time.monotonic
        }
    }

    private func watch() {
        while true {
            Time.sleep(.milliseconds(500))
            let entries = state.withLock { isLate($0, at: Time.monotonic) ? Array($0.entries.values) : [] }
            if !entries.isEmpty { endProcess(entries) }
        }
    }

    /// Whether a test exceeds its limit, and no test has ended for that long. Tests share their threads, so a test may
    /// have to wait for others. If it hangs, the others end, and then no more do.
    private func isLate(_ state: State, at now: Duration) -> Bool {
        state.entries.values.contains { now - max($0.began, state.lastEnd) >= $0.limit }
    }

    private func endProcess(_ entries: [Entry]) -> Never {
        let lines = entries.sorted { $0.began < $1.began }.map { entry in
            let seconds = (Time.monotonic - entry.began).components.seconds
            return "✘ Test \(entry.name) has not ended after \(seconds) s: it hangs, or waits for one that hangs.\n"
        }
        let text = Array(lines.joined().utf8)
        write(STDERR_FILENO, text, text.count)
        fflush(nil)
        _exit(1)
    }
}
