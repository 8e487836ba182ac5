internal import Documents
internal import JobQueue
internal import Linux
public import Media
internal import Objects

/// The library's own thread: settles ended picture jobs, wakes those who wait for them, orders pictures ahead, hands
/// events on, and removes files.
///
/// Any number of processes may run one over the same stores: each step may be done twice.
public final class Watcher: Sendable {
    private let library: DocumentLibrary
    private let isOver = Promise<Void>()
    private let thread = Promise<WorkerThread>()

    /// A watcher that does not run yet.
    public init(_ library: DocumentLibrary) { self.library = library }

    /// Starts the thread.
    ///
    /// - Throws: `unavailable` where no thread can be started.
    public func start() throws(Failure) {
        do throws(SystemError) {
            thread.fulfil(try WorkerThread(name: "watcher") { [self] in work() })
            if library.scanner == nil { return }
            let turns = ScanTurns()
            for _ in 0..<Self.scannerCount { _ = try WorkerThread(name: "scanner") { [self] in scan(turns) } }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Ends the thread, and all streams of events.
    public func stop() {
        isOver.fulfil(())
        library.events.end()
        thread.current?.join()
    }

    private func work() {
        var listener: (any StoreListener)?
        var nextSweep = Time.monotonic + Self.sweepPause
        var nextFinish = Time.monotonic
        while isOver.current == nil {
            do throws(DocumentError) {
                let ear = if let listener { listener } else { try library.store.makeListener() }
                listener = ear
                try library.settleEndedPictures()
                try library.endWaits()
                try library.orderAhead()
                try library.events.deliver()
                try library.tellProgress()
                try library.removeFiles()
                if Time.monotonic >= nextFinish {
                    try library.finishArrivedUploads()
                    nextFinish = Time.monotonic + Self.finishPause
                }
                if Time.monotonic >= nextSweep {
                    _ = try library.sweep()
                    nextSweep = Time.monotonic + Self.sweepPause
                }
                // Short enough for `stop`, and for removals that come due.
                _ = try ear.wait(atMost: Self.longestSleep)
            } catch {
                library.warn(error)
                listener = nil
                _ = isOver.wait(until: Time.monotonic + Self.pauseAfterFault)
            }
        }
    }

    /// Not joined at the end: a scan may take minutes, and is done again after the next start.
    private func scan(_ turns: ScanTurns) {
        while isOver.current == nil {
            do throws(DocumentError) {
                let listener = try library.store.makeListener()
                try library.scanQuarantined(turns)
                // Woken by new versions; while the scanner is away, tried again after this time.
                _ = try listener.wait(atMost: Self.scanPause)
            } catch {
                library.warn(error)
                _ = isOver.wait(until: Time.monotonic + Self.pauseAfterFault)
            }
        }
    }

    /// So many files are scanned at once: small ones need not wait for a large one.
    private static let scannerCount = 3
    private static let scanPause: Duration = .seconds(5)
    private static let longestSleep: Duration = .milliseconds(500)
    private static let finishPause: Duration = .seconds(60)
    private static let sweepPause: Duration = .seconds(6 * 3600)
    private static let pauseAfterFault: Duration = .seconds(2)
}
