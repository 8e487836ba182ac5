import Linux
import NIOCore
import Synchronization

/// What bounds the connections to the status server, so that none takes the jobs' descriptors or keeps others out.
///
/// Hummingbird accepts no further connection while `accepted` are open, and closes one that is idle. That alone would let
/// whoever holds all of them be the only one who is heard, so from then on those that take their time are closed.
struct ConnectionBounds: Sendable {
    /// The most that are open.
    static let most = 32
    /// NIO accepts up to four at a look.
    static let accepted = most - 3
    /// From the connection, or the last answer, to the end of the next request's header.
    static let patience: Duration = .seconds(5)
    /// From the connection to its end, whatever it does: a request's body, or its answer, may come forward byte by byte.
    static let longestLife: Duration = .seconds(30)
    /// While all are taken: from the connection to the end of its header, and from its answer to the end. A request that
    /// waited to be accepted lies there by then.
    static let patienceWhenFull: Duration = .milliseconds(20)
    /// While all are taken: from the connection to its answer.
    static let longestLifeWhenFull: Duration = .seconds(1)
    /// Connections that wait until they are accepted, in their order; of more than the kernel has room for, any.
    static let backlog = 4096

    private let count = OpenCount()

    private final class OpenCount: Sendable {
        let value = Atomic(0)
    }

    /// Watches one connection.
    func makeWatch() -> Watch { Watch(bounds: self) }

    /// Closes its connection in time.
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

        /// The first part of a request: its header, whole.
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            life.hasAsked.store(true, ordering: .relaxed)
            context.fireChannelRead(data)
        }

        /// The first part of an answer.
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

        /// Since when it is answered.
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
