internal import CLinux
public import Linux
public import Media
internal import Synchronization
internal import Wire

/// A remote source, as a file of its length whose bytes are fetched on demand.
///
/// The file is in memory or, if it is large, an unnamed file on disk. Bytes that were not fetched read as zeros, so a
/// reader must require them first. The result of a task on this source is valid only if `failure` is `nil`. Several
/// children may read at once.
public final class RangedSource: Sendable {
    /// The file, opened for reading only.
    public let file: Descriptor
    /// The source's length.
    public let byteCount: Int64
    private let content: any RangedContent
    private let writable: Descriptor
    /// The total time that its readers may have waited for bytes.
    private let patience: Duration
    private let state: Mutex<State>
    private let tally = Mutex(Tally())

    private struct State: Sendable {
        var present: BlockSet
        var failure: Failure?
    }

    /// What has been fetched so far.
    public struct Tally: Sendable {
        /// The number of requests to the content.
        public var requestCount = 0
        /// The number of bytes that arrived.
        public var byteCount: Int64 = 0
        var waited = Duration.zero
        /// When the current fetch began.
        var fetchBegan: Duration?
    }

    /// A source of which nothing has been fetched.
    ///
    /// - Parameters:
    ///   - folder: the location of the file if it is large.
    ///   - patience: the total time that the readers may wait for bytes; then the source fails with `timedOut`.
    /// - Throws: `unavailable` if there is no room for the file.
    public init(_ content: any RangedContent, folder: String, patience: Duration = .seconds(60)) throws(Failure) {
        self.content = content
        self.patience = patience
        byteCount = content.byteCount
        state = Mutex(State(present: BlockSet(byteCount: content.byteCount)))
        do throws(SystemError) {
            writable =
                byteCount <= Self.mostInMemory
                ? try MemoryFile.unsized(name: "source") : try Descriptor.unnamed(in: folder)
            let (number, length) = (writable.number, off_t(content.byteCount))
            _ = try checking("ftruncate") { ftruncate(number, length) }
            file = try writable.reopenedForReading()
        } catch {
            throw Failure(.unavailable, message: "There is not enough space for the file.", detail: "\(error)")
        }
    }

    /// Larger files are on disk: several at once would fill the memory.
    private static let mostInMemory: Int64 = 64 << 20

    /// Why required bytes did not arrive; it never changes back to `nil`.
    public var failure: Failure? { state.withLock { $0.failure } }

    /// What has been fetched so far.
    public var fetched: Tally { tally.withLock { $0 } }

    /// The total time that readers have waited for bytes so far.
    var waited: Duration {
        tally.withLock { $0.waited + ($0.fetchBegan.map { Time.monotonic - $0 } ?? .zero) }
    }

    /// Blocks until these bytes are in the file.
    ///
    /// - Throws: the reason why they are not available, now and from now on.
    public func require(_ range: Range<Int64>) throws(Failure) {
        var place = range.lowerBound
        while place < min(range.upperBound, byteCount) { place = try supply(place..<range.upperBound).upperBound }
    }

    /// Blocks until the beginning of a range is in the file.
    ///
    /// - Returns: bytes that are in the file, including the first of the range.
    func supply(_ range: Range<Int64>) throws(Failure) -> Range<Int64> {
        let result = state.withLock { state in
            Result { () throws(Failure) in
                if let failure = state.failure { throw failure }
                let missing = state.present.firstMissing(in: range)
                guard let missing, missing.lowerBound <= range.lowerBound else {
                    return range.lowerBound..<min(missing?.lowerBound ?? range.upperBound, byteCount)
                }
                do throws(Failure) {
                    let wanted = missing.lowerBound..<min(missing.upperBound, missing.lowerBound + Self.mostAtOnce)
                    let came = try fetch(wanted)
                    state.present.insert(came)
                    return came
                } catch {
                    state.failure = error
                    throw error
                }
            }
        }
        return try result.get()
    }

    /// Limits the time for which one fetch keeps the others waiting.
    private static let mostAtOnce: Int64 = 8 << 20

    private func fetch(_ range: Range<Int64>) throws(Failure) -> Range<Int64> {
        let begin = Time.monotonic
        let waited = tally.withLock { tally in
            tally.fetchBegan = begin
            return tally.waited
        }
        defer {
            tally.withLock { tally in
                tally.fetchBegan = nil
                tally.waited += Time.monotonic - begin
            }
        }
        guard waited < patience else { throw tooSlow(waited) }
        let came: Range<Int64>
        do throws(Failure) {
            came = try content.fetch(range, into: writable, within: patience - waited)
        } catch {
            let waited = waited + (Time.monotonic - begin)
            throw error.code == .unavailable && waited >= patience ? tooSlow(waited) : error
        }
        // Bytes that are not in the file would read as zeros.
        guard came.lowerBound <= range.lowerBound, came.upperBound >= range.upperBound, came.upperBound <= byteCount
        else { throw Failure(.unavailable, detail: "the bytes \(came) arrived instead of \(range)") }
        tally.withLock { tally in
            tally.requestCount += 1
            tally.byteCount += Int64(came.count)
        }
        return came
    }

    private func tooSlow(_ waited: Duration) -> Failure {
        Failure(
            .timedOut, message: "The file arrives too slowly. Try again later.",
            detail: "\(fetched.byteCount) of \(byteCount) bytes in \(waited)")
    }
}
