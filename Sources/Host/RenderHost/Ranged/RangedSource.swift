internal import CLinux
public import Linux
public import Media
internal import Synchronization
internal import Wire

/// A source that lies elsewhere, as a file of its length into which its bytes come when somebody asks for them.
///
/// The file is in memory, or where it is large in a file without a name. Bytes that were not fetched read as zeros, so whoever
/// reads asks first, and a task over this source counts only where `failure` is `nil`. Several children may read at once.
public final class RangedSource: Sendable {
    /// The file, for reading alone.
    public let file: Descriptor
    /// The source's length.
    public let byteCount: Int64
    private let content: any RangedContent
    private let writable: Descriptor
    /// How long its readers may have waited for bytes, all together.
    private let patience: Duration
    private let state: Mutex<State>
    private let tally = Mutex(Tally())

    private struct State: Sendable {
        var present: BlockSet
        var failure: Failure?
    }

    /// What was fetched so far.
    public struct Tally: Sendable {
        /// How often the content was asked.
        public var requestCount = 0
        /// How many bytes came.
        public var byteCount: Int64 = 0
        var waited = Duration.zero
        /// When the fetch that is under way began.
        var fetchBegan: Duration?
    }

    /// A source of which nothing was fetched.
    ///
    /// - Parameters:
    ///   - folder: where the file lies if it is large.
    ///   - patience: how long the readers may wait for bytes, all together; then the source fails as `timedOut`.
    /// - Throws: `unavailable` where there is no room for the file.
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

    /// Larger files lie on the disk: several at once would fill the memory.
    private static let mostInMemory: Int64 = 64 << 20

    /// Why bytes that somebody asked for did not come; it stays.
    public var failure: Failure? { state.withLock { $0.failure } }

    /// What was fetched so far.
    public var fetched: Tally { tally.withLock { $0 } }

    /// How long readers have waited for bytes so far.
    var waited: Duration {
        tally.withLock { $0.waited + ($0.fetchBegan.map { Time.monotonic - $0 } ?? .zero) }
    }

    /// Blocks until these bytes are in the file.
    ///
    /// - Throws: the reason why they cannot be had, now and from now on.
    public func require(_ range: Range<Int64>) throws(Failure) {
        var place = range.lowerBound
        while place < min(range.upperBound, byteCount) { place = try supply(place..<range.upperBound).upperBound }
    }

    /// Blocks until the beginning of a range is in the file.
    ///
    /// - Returns: bytes that are there, among them the first of the range.
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

    /// Bounds the time for which one fetch keeps the others waiting.
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
        // What is not in the file would read as zeros.
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
