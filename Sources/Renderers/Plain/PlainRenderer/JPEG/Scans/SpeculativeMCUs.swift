internal import Linux
internal import Synchronization

/// The second half of a sequential scan, decoded speculatively by another thread while the first half is decoded.
///
/// Huffman streams resynchronise: decoding that begins at an arbitrary byte soon reaches a true MCU boundary, and from
/// then on yields the scan's MCUs. The first thread continues into the second half until both threads reach the same
/// MCU boundary; the MCUs after it are used. DC coefficients are coded as differences, so the second thread's
/// coefficients are all off by the same unknown prediction, a constant for each component.
final class SpeculativeMCUs: Sendable {
    private let thread: WorkerThread
    private let outcome: SpeculationOutcome

    /// The state that both threads share.
    private final class SpeculationOutcome: Sendable {
        let decoded = Mutex<DecodedMCUs?>(nil)
        let isUnwanted = Atomic(false)
    }

    /// - Parameter data: positioned at the second half.
    /// - Returns: `nil` if no thread is available.
    init?(_ scan: SequentialScan, _ data: EntropyCodedData) {
        let outcome = SpeculationOutcome()
        let thread = try? WorkerThread(name: "second half") {
            let decoded = scan.decodedMCUs(of: data) { outcome.isUnwanted.load(ordering: .relaxed) }
            outcome.decoded.withLock { $0 = decoded }
        }
        guard let thread else { return nil }
        (self.thread, self.outcome) = (thread, outcome)
    }

    /// Waits for the thread, and takes the MCUs that it decoded.
    func wait() -> DecodedMCUs {
        thread.join()
        return outcome.decoded.withLock { $0.take() } ?? DecodedMCUs()
    }

    // The thread must not run alongside the decoder that is tried next.
    deinit {
        outcome.isUnwanted.store(true, ordering: .relaxed)
        thread.join()
    }
}

/// Consecutive MCUs whose places in the scan are not known yet.
struct DecodedMCUs {
    /// The beginning of each MCU, in bits from the start of the second half; the last entry is the end of the last MCU.
    var starts: [Int] = []
    /// `LowFrequencyCoefficients.values` of each MCU, block by block in the scan's order.
    var values: [Int16] = []
}

extension SequentialScan {
    /// Decodes MCUs one after another from an arbitrary byte of the scan.
    ///
    /// - Parameter isUnwanted: called at every refill; once it returns `true`, the MCUs decoded so far are returned.
    fileprivate func decodedMCUs(of data: EntropyCodedData, until isUnwanted: () -> Bool) -> DecodedMCUs {
        var consecutive = self
        consecutive.plans = BlockPlan.consecutive(plans)
        let mcuLength = BlockPlan.length(of: plans)
        var (decoded, data) = (DecodedMCUs(), data)
        let most = layout.across * layout.down
        decoded.starts.reserveCapacity(most)
        decoded.values.reserveCapacity(most * mcuLength)
        var reader = EntropyBitReader()
        var state = ScanState(reader.bits)
        var failureCount = 0
        while decoded.starts.count < most {
            if state.bits.next > reader.refillPosition {
                reader.bits = state.bits
                guard (try? data.supply(&reader)) != nil, !isUnwanted() else { break }
                state.bits = reader.bits
            }
            let index = decoded.starts.count
            if index * mcuLength == decoded.values.count {
                decoded.values += repeatElement(0, count: mcuLength * min(1024, most - index))
            }
            decoded.starts.append((data.count - reader.byteCount) * 8 + state.bits.position)
            if consecutive.readMCU(index, 0, reader.bytes, &state, &decoded.values) { continue }
            // Not synchronised yet: start over at the next bit.
            failureCount += 1
            guard failureCount <= Self.mostFailures else { return DecodedMCUs() }
            decoded.starts.removeAll(keepingCapacity: true)
            decoded.values.removeAll(keepingCapacity: true)
            state = ScanState(state.bits)
            state.bits.refill(from: reader.bytes)
            state.bits.skip(1)
        }
        decoded.starts.append((data.count - reader.byteCount) * 8 + state.bits.position)
        // The last MCUs may have been decoded from the padding after the scan.
        while let last = decoded.starts.last, last > data.count * 8 { decoded.starts.removeLast() }
        return decoded
    }

    /// The memory that all MCUs of the scan would take as `DecodedMCUs`.
    var speculativeByteCount: Int {
        layout.across * layout.down * BlockPlan.length(of: plans) * MemoryLayout<Int16>.stride
    }

    /// Data that fail this often are not a scan.
    private static let mostFailures = 1000
}
