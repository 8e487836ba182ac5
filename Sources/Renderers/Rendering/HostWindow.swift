internal import CLinux
internal import Formats
internal import Linux
internal import Synchronization
internal import Wire

/// A child's window on a source that lies elsewhere: asks the host for the bytes that are not in the source's file yet.
///
/// The socket carries only two kinds of small messages. The child reads it with `read(2)`, which accepts no
/// descriptors.
final class HostWindow: SourceWindow {
    private let socket: MessageSocket
    private let present: Mutex<BlockSet>

    init(_ socket: MessageSocket, byteCount: Int64) {
        self.socket = socket
        present = Mutex(BlockSet(byteCount: byteCount))
    }

    /// The threads of one decoder ask one after another.
    func require(_ range: Range<Int64>) throws(SystemError) {
        let result = present.withLock { present in
            Result { () throws(SystemError) in
                while let missing = present.firstMissing(in: range) { present.insert(try asked(for: missing)) }
            }
        }
        try result.get()
    }

    private func asked(for missing: Range<Int64>) throws(SystemError) -> Range<Int64> {
        try socket.send(WindowRequest(missing).bytes)
        let answer = try socket.readBytes(limit: Self.longestAnswer)
        guard let range = (try? WindowAnswer(parsing: answer))?.present, range.contains(missing.lowerBound) else {
            // The host knows the reason and reports it.
            throw SystemError("read", number: EIO)
        }
        return range
    }

    private static let longestAnswer = 64
}
