import CLinux
import JobQueue
import Linux

/// A wall clock that the run sets forward and back. All processes read the offset from one file.
struct JumpingClock: QueueClock {
    private let file: Descriptor

    init(_ path: String) throws(SystemError) { file = try Descriptor.open(path, O_RDWR | O_CREAT) }

    var now: QueueInstant { WallClock().now + .milliseconds(offset) }

    private var offset: Int64 {
        let bytes = (try? file.bytes(at: 0, count: 8)) ?? []
        return bytes.count == 8 ? bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) } : 0
    }

    func jump(to offset: Int64) {
        withUnsafeBytes(of: offset) { _ = pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }
}

extension QueueSurroundings {
    /// Short pauses and the jumping clock; the numbers of the queue's rules are unchanged.
    static func chaos(_ clock: JumpingClock) -> QueueSurroundings {
        var policy = QueuePolicy()
        policy.firstBackoff = .milliseconds(100)
        policy.longestBackoff = .seconds(2)
        return QueueSurroundings(clock: clock, policy: policy)
    }
}
