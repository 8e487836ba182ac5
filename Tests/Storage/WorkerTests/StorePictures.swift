import Media
import Synchronization
import ThumbnailCache

/// The pictures of all machines in memory, in a store that becomes unreachable on command.
final class StorePictures: SharedPictures {
    private struct State {
        var kept: [String: [UInt8]] = [:]
        var keepCount = 0
        var isAway = false
        var refusesPictures = false
        var refusesKeeping = false
    }

    private let state = Mutex(State())

    /// Whether every call fails.
    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Whether only pictures cannot be kept.
    var refusesPictures: Bool {
        get { state.withLock { $0.refusesPictures } }
        set { state.withLock { $0.refusesPictures = newValue } }
    }

    /// Whether nothing can be kept, although the store answers.
    var refusesKeeping: Bool {
        get { state.withLock { $0.refusesKeeping } }
        set { state.withLock { $0.refusesKeeping = newValue } }
    }

    /// How often something was kept, and under how many names.
    var counts: (keeps: Int, names: Int) { state.withLock { ($0.keepCount, $0.kept.count) } }

    /// - Throws: with different words each time, as a network does.
    func check() throws(Failure) {
        if isAway { throw Failure(.unavailable, detail: "away \(UInt64.random(in: 0 ... .max))") }
    }

    func find(_ name: String, of digest: Digest) throws(Failure) -> [UInt8]? {
        try check()
        return state.withLock { $0.kept["\(digest.hex)/\(name)"] }
    }

    func keep(_ bytes: [UInt8], as name: String, of digest: Digest) throws(Failure) {
        try check()
        if refusesPictures || refusesKeeping { throw Failure(.unavailable, detail: "no room") }
        state.withLock { state in
            state.kept["\(digest.hex)/\(name)"] = bytes
            state.keepCount += 1
        }
    }

    func probe() throws(Failure) {
        try check()
        if refusesPictures { throw Failure(.unavailable, detail: "no room") }
    }

    func remove(_ digest: Digest) throws(Failure) { try check() }

    func contents(from place: String?) throws(Failure) -> (digests: [Digest], next: String?) {
        try check()
        return ([], nil)
    }
}
