internal import Linux
internal import Wire

/// Serves one child's window: puts the bytes that the child asks for into the source's file, and tells it of them.
///
/// A child that reads in order gets more than it asks for, so that it waits less often.
struct WindowService {
    private let source: RangedSource
    private let socket: MessageSocket
    /// Where the last answer ended.
    private var lastEnd: Int64 = -1
    private var ahead = BlockSet.blockByteCount

    /// Bounds what is fetched in vain where the child stops.
    private static let mostAhead: Int64 = 2 << 20

    /// Serves on a thread of its own until the child's end of the socket is closed.
    ///
    /// - Returns: the child's end.
    static func start(over source: RangedSource) throws(SystemError) -> MessageSocket {
        let (ours, theirs) = try MessageSocket.pair()
        _ = try WorkerThread(name: "window") {
            var service = WindowService(source: source, socket: ours)
            service.serve()
        }
        return theirs
    }

    private init(source: RangedSource, socket: MessageSocket) {
        self.source = source
        self.socket = socket
    }

    private mutating func serve() {
        while let message = try? socket.receive(limit: Wire.longestMessage) {
            // A child that sends anything else was taken over: it gets nothing more.
            guard let request = try? WindowRequest(parsing: message.bytes),
                request.range.upperBound <= source.byteCount
            else { return }
            let answer = WindowAnswer(try? source.supply(widened(request.range)))
            lastEnd = answer.present?.upperBound ?? -1
            guard (try? socket.send(answer.bytes)) != nil else { return }
        }
    }

    /// The request, longer by a part that grows as long as each begins where the last answer ended.
    private mutating func widened(_ range: Range<Int64>) -> Range<Int64> {
        guard range.lowerBound == lastEnd else {
            ahead = BlockSet.blockByteCount
            return range
        }
        ahead = min(4 * ahead, Self.mostAhead)
        return range.lowerBound..<min(max(range.upperBound, range.lowerBound + ahead), source.byteCount)
    }
}
