import Linux
import NIOCore
import Synchronization

/// The bounds of connections to the status server: they cannot exhaust the descriptors of jobs, nor lock out other
/// clients.
///
/// Hummingbird accepts no further connection while `accepted` are open, and closes idle ones. A client that holds all
/// of them would still lock out the others. So slow connections are closed earlier while all are in use.
struct ConnectionBounds: Sendable {
    /// The largest number of open connections.
    static let most = 32
    /// NIO accepts up to four connections at once, so it stops this much earlier.
    static let accepted = most - 3
    /// The time from the connection, or the last answer, to the end of the next request's header.
    static let patience: Duration = .seconds(5)
    /// The time from the connection to its end, because a request's body or its answer may proceed byte by byte.
    static let longestLife: Duration = .seconds(30)
    /// While all are in use: the time from the connection to the end of its header, and from its answer to its end. The
    /// request of a connection that waited to be accepted has arrived by then.
    static let patienceWhenFull: Duration = .milliseconds(20)
    /// While all are in use: the time from the connection to its answer.
    static let longestLifeWhenFull: Duration = .seconds(1)
    /// The number of connections that wait to be accepted; the kernel may allow fewer.
    static let backlog = 4096

    private let count = OpenCount()

    private final class OpenCount: Sendable {
        let value = Atomic(0)
    }

    /// A channel handler that closes its connection in time.
    func makeWatch() -> Watch { Watch(bounds: self) }

    /// Closes one connection when its time has expired.
    final class Watch: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = Never
        typealias OutboundIn = Never

        private let bounds: ConnectionBounds
        private let life = Life()
        private var check: RepeatedTask?

        init(bounds: ConnectionBounds) { self.bounds = bounds }

        func handlerAdded(context: ChannelHandlerContext) {
            if context.channel.isActive { begin(context) }
        }

        func channelActive(context: ChannelHandlerContext) {
            begin(context)
            context.fireChannelActive()
        }

        /// First called with a request's whole header.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            life.hasAsked.store(true, ordering: .relaxed)
            context.fireChannelRead(data)
        }

        /// First called with the beginning of an answer.
        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            life.noteAnswer()
            context.write(data, promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end()
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) { end() }

        private func begin(_ context: ChannelHandlerContext) {
            guard check == nil else { return }
            bounds.count.value.add(1, ordering: .relaxed)
            let (channel, bounds, life) = (context.channel, bounds, life)
            check = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
                if bounds.isOver(life) { channel.close(promise: nil) }
            }
        }

        private func end() {
            guard let check else { return }
            check.cancel()
            self.check = nil
            bounds.count.value.subtract(1, ordering: .relaxed)
        }

        private static let interval: TimeAmount = .milliseconds(10)
    }

    private final class Life: Sendable {
        let began = Time.monotonic
        let hasAsked = Atomic(false)
        private let answered = Mutex<Duration?>(nil)

        func noteAnswer() { answered.withLock { $0 = $0 ?? Time.monotonic } }

        /// When the answer began; `nil` before that.
        var answeredSince: Duration? { answered.withLock { $0 } }
    }

    private func isOver(_ life: Life) -> Bool {
        let now = Time.monotonic
        let age = now - life.began
        let hasAsked = life.hasAsked.load(ordering: .relaxed)
        if age >= (hasAsked ? Self.longestLife : Self.patience) { return true }
        guard count.value.load(ordering: .relaxed) >= Self.accepted else { return false }
        if let answered = life.answeredSince { return now - answered >= Self.patienceWhenFull }
        return age >= (hasAsked ? Self.longestLifeWhenFull : Self.patienceWhenFull)
    }
}
