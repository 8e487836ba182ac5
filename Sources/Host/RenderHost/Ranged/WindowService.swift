internal import Linux
internal import Wire

/// Serves one child's window: puts the bytes that the child requests into the source's file, and reports them to it.
///
/// A child that reads sequentially gets more than it requests, so that it waits less often.
struct WindowService {
    private let source: RangedSource
    private let socket: MessageSocket
    /// Where the last answer ended.
    private var lastEnd: Int64 = -1
    private var ahead = BlockSet.blockByteCount

    /// Limits the bytes that are fetched in vain if the child stops.
    private static let mostAhead: Int64 = 2 << 20

    /// Serves on its own thread until the child's end of the socket is closed.
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
            // A child that sends anything else is compromised: it gets nothing more.
            guard let request = try? WindowRequest(parsing: message.bytes),
                request.range.upperBound <= source.byteCount
            else { return }
            let answer = WindowAnswer(try? source.supply(widened(request.range)))
            lastEnd = answer.present?.upperBound ?? -1
            guard (try? socket.send(answer.bytes)) != nil else { return }
        }
    }

    /// The request, extended by a length that grows while each request begins where the last answer ended.
    private mutating func widened(_ range: Range<Int64>) -> Range<Int64> {
        guard range.lowerBound == lastEnd else {
            ahead = BlockSet.blockByteCount
            return range
        }
        ahead = min(4 * ahead, Self.mostAhead)
        return range.lowerBound..<min(max(range.upperBound, range.lowerBound + ahead), source.byteCount)
    }
}
