internal import Linux
internal import Synchronization

/// The first scan of DC coefficients, read by its own thread while another thread reads the AC scans.
///
/// This scan takes a fifth of the time of all scans that a preview needs.
final class ParallelDCScan: Sendable {
    private let thread: WorkerThread
    private let outcome: DCOutcome
    private let components: [Int]

    /// The thread's result.
    private final class DCOutcome: Sendable {
        let coefficients = Mutex<Result<LowFrequencyCoefficients, Declined>?>(nil)
    }

    /// - Parameter data: positioned at the start of the scan.
    /// - Returns: `nil` if no thread is available.
    init?(_ scan: ScanHeader, _ frame: JPEGFrame, _ tables: JPEGTables, _ data: EntropyCodedData) {
        let outcome = DCOutcome()
        let thread = try? WorkerThread(name: "DC scan") {
            let reductions = frame.components.map { _ in LowFrequencyCoefficients.Reduction.eighth }
            var (coefficients, data) = (LowFrequencyCoefficients(reductions, of: frame), data)
            do throws(Declined) {
                try DCFirstScan(scan, frame, tables, coefficients).read(&data, into: &coefficients.values)
                outcome.coefficients.withLock { $0 = .success(coefficients) }
            } catch {
                outcome.coefficients.withLock { $0 = .failure(error) }
            }
        }
        guard let thread else { return nil }
        self.thread = thread
        self.outcome = outcome
        components = scan.components.map(\.index)
    }

    /// Waits for the thread, and copies the DC coefficients into `coefficients`.
    ///
    /// - Throws: if the scan is damaged or too short.
    func finish(into coefficients: inout LowFrequencyCoefficients) throws(Declined) {
        thread.join()
        guard let read = try outcome.coefficients.withLock({ $0 })?.get() else {
            throw Declined("no thread read the DC coefficients")
        }
        for component in components { coefficients.setDC(of: component, from: read) }
    }

    // The thread must not run alongside the decoder that takes over if this one gives up.
    deinit { thread.join() }
}
