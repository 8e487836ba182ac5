internal import Documents
internal import Linux
public import Media
internal import Objects
internal import Synchronization

/// The library's own threads. One wakes requests that wait for pictures, and delivers events. Work that may wait for a
/// store, or take long, has its own threads: ended picture jobs and pictures made ahead, the progress of uploads,
/// removals of files, uploads that have arrived or were abandoned, expired rows, the sweep, and scans.
///
/// Any number of processes may run one over the same stores: one of them takes each removal, one sweeps, and everything
/// else may be done twice.
public final class Watcher: Sendable {
    private let library: DocumentLibrary
    private let sweepPause: Duration
    private let isOver = Promise<Void>()
    /// The threads that `stop` waits for.
    private let threads = Mutex<[WorkerThread]>([])

    /// A watcher that does not run yet.
    ///
    /// - Parameter sweepPause: the pause before each sweep.
    public init(_ library: DocumentLibrary, sweepPause: Duration = .seconds(6 * 3600)) {
        self.library = library
        self.sweepPause = sweepPause
    }

    /// Starts the threads.
    ///
    /// - Throws: `unavailable` if one cannot be started.
    public func start() throws(Failure) {
        do throws(SystemError) {
            let bodies: [(String, @Sendable () -> Void)] = [
                ("watcher", watch), ("settler", settle), ("progress", tellProgress), ("removals", remove),
            ]
            for (name, body) in bodies {
                let thread = try WorkerThread(name: name, body)
                threads.withLock { $0.append(thread) }
            }
            // Not joined at the end: these may take minutes, and run again after the next start.
            _ = try WorkerThread(name: "arrivals") { [self] in finishArrivals() }
            _ = try WorkerThread(name: "expiry") { [self] in removeExpiredRows() }
            _ = try WorkerThread(name: "sweeper") { [self] in sweep() }
            if library.scanner == nil { return }
            let turns = ScanTurns()
            for _ in 0..<Self.scannerCount { _ = try WorkerThread(name: "scanner") { [self] in scan(turns) } }
        } catch {
            // The threads that already run.
            stop()
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Ends the threads, and all streams of events.
    public func stop() {
        isOver.fulfil(())
        library.events.end()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    private func watch() {
        listening(atMost: Self.longestSleep) { () throws(DocumentError) in
            try library.endWaits()
            try library.events.deliver()
        }
    }

    /// Calls the store of files, which may not respond: no event waits for that.
    private func settle() {
        listening(atMost: Self.longestSleep) { () throws(DocumentError) in
            try library.settleEndedPictures()
            // Nothing is made ahead while a request waits, and a waiting request may have its answer by now.
            try library.endWaits()
            try library.orderAhead()
        }
    }

    /// Checks every upload of the people whose events clients follow: no picture waits for that.
    private func tellProgress() {
        var pause = Self.progressPause
        while isOver.wait(until: Time.monotonic + pause) == nil {
            pause = Self.progressPause
            do throws(DocumentError) {
                try library.tellProgress(while: { isOver.current == nil })
            } catch {
                library.warn(error)
                pause = Self.pauseAfterFault
            }
        }
    }

    private func remove() {
        listening(atMost: Self.longestSleep) { () throws(DocumentError) in
            try library.removeFiles(while: { isOver.current == nil })
        }
    }

    private func scan(_ turns: ScanTurns) {
        // Woken by new files; while the scanner is unreachable, retried after this time.
        listening(atMost: Self.scanPause) { () throws(DocumentError) in try library.scanPending(turns) }
    }

    private func finishArrivals() {
        var pause = Duration.zero
        while isOver.wait(until: Time.monotonic + pause) == nil {
            pause = Self.finishPause
            do throws(DocumentError) { try library.finishArrivedUploads() } catch { library.warn(error) }
            do throws(DocumentError) { try library.endAbandonedIntakes() } catch { library.warn(error) }
        }
    }

    private func removeExpiredRows() {
        var pause = Duration.zero
        while isOver.wait(until: Time.monotonic + pause) == nil {
            pause = Self.expiryPause
            do throws(DocumentError) { try library.store.removeExpiredRows() } catch { library.warn(error) }
        }
    }

    private func sweep() {
        while isOver.wait(until: Time.monotonic + sweepPause) == nil {
            do throws(DocumentError) { _ = try library.sweep() } catch { library.warn(error) }
        }
    }

    /// Runs `work` now, after each change of the store, and after `limit`, until the end.
    ///
    /// - Parameter limit: short enough for `stop`, and for work that becomes due.
    private func listening(atMost limit: Duration, _ work: () throws(DocumentError) -> Void) {
        var listener: StoreListener?
        while isOver.current == nil {
            do throws(DocumentError) {
                let current = if let listener { listener } else { try library.store.makeListener() }
                listener = current
                try work()
                _ = try current.wait(atMost: limit)
            } catch {
                library.warn(error)
                listener = nil
                _ = isOver.wait(until: Time.monotonic + Self.pauseAfterFault)
            }
        }
    }

    /// How many files are scanned at once: small ones need not wait for a large one.
    private static let scannerCount = 3
    private static let scanPause: Duration = .seconds(5)
    private static let longestSleep: Duration = .milliseconds(500)
    private static let progressPause: Duration = .milliseconds(500)
    private static let finishPause: Duration = .seconds(60)
    private static let expiryPause: Duration = .seconds(60)
    private static let pauseAfterFault: Duration = .seconds(2)
}
