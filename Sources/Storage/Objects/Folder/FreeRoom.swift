internal import CLinux
internal import Linux
internal import Synchronization

/// The reserve that a file system must keep free of the store's files. So the database's log, the audit log and
/// anything else that a deletion needs can still grow.
///
/// It asks the kernel at most once per `step` bytes, and once per `pause`.
final class FreeRoom: Sendable {
    private let folder: Descriptor
    private let calls: any ObjectFiles
    private let granted = Mutex(Grant(byteCount: 0, end: .zero))

    /// Bytes that may be written without asking again, until a moment of the monotonic clock.
    private struct Grant {
        var byteCount: Int64
        var end: Duration
    }

    private static let step: Int64 = 1 << 20
    private static let pause = Duration.milliseconds(100)

    /// - Parameter folder: any folder of the file system.
    init(_ folder: Descriptor, _ calls: any ObjectFiles) {
        self.folder = folder
        self.calls = calls
    }

    /// The bytes of a file system that stay free: 2 %, at least 8 MiB and at most 256 MiB, but never more than an
    /// eighth.
    static func reserve(of byteCount: Int64) -> Int64 {
        min(max(byteCount / 50, 8 << 20), 256 << 20, byteCount / 8)
    }

    /// Requests room for bytes that are about to be written.
    ///
    /// - Throws: `noSpace` if less than the reserve would stay free.
    func take(_ byteCount: Int64) throws(ObjectError) {
        try granted.withLock { grant throws(ObjectError) in
            if grant.byteCount >= byteCount, Time.monotonic < grant.end {
                grant.byteCount -= byteCount
                return
            }
            grant.byteCount = 0
            let room = try attempt { () throws(SystemError) in try calls.room(around: folder) }
            let spare = room.free - Self.reserve(of: room.all)
            guard spare >= byteCount else {
                let full = SystemError("statvfs", number: ENOSPC)
                throw .noSpace(detail: "\(full): \(room.free) bytes are free, and the last ones are reserved")
            }
            grant = Grant(
                byteCount: min(spare, max(Self.step, byteCount)) - byteCount, end: Time.monotonic + Self.pause)
        }
    }
}
