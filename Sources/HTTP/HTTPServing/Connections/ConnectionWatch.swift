internal import HTTPTypes
internal import Linux
internal import NIOCore
internal import NIOHTTPTypes

/// Watches one connection between its HTTP codec and the server: its limits, its end, and the account of each exchange.
///
/// All of it runs on the channel's event loop.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private var connection: Connection?
    private var check: Scheduled<Void>?
    private let times = Times()
    /// Whether the client waits for `100 Continue` before it sends the body.
    private var awaitsContinue = false
    private var closesAfterAnswer = false
    private var requestCount = 0
    private var answerCount = 0
    /// The place of the request whose answer is the last one on this connection, as its client requested.
    private var lastPlace: Int?
    private var isLingering = false
    /// Completes when the latest watched write, and so all writes before it, have been sent.
    private var lastDeparture: EventLoopFuture<Void>?

    /// Which of the limits applies.
    private final class Times {
        /// When the connection began to wait for a request; `nil` during a request.
        var idleSince: Duration? = Time.monotonic
        /// The number of writes that have not completed, and the time when one last did.
        var writeCount = 0
        var lastWrite = Time.monotonic
        var lingerEnd: Duration?
    }

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            try RequestHeadHandler.add(to: context.pipeline.syncOperations)
        } catch {
            return context.close(promise: nil)
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        let connection = Connection(context.channel)
        self.connection = connection
        connections.add(connection)
        scheduleCheck(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        check?.cancel()
        check = nil
        guard let connection else { return }
        self.connection = nil
        connection.end()
        connections.remove(connection)
        connection.close()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A client may still send after an answer that ends the connection.
        if isLingering { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            times.idleSince = nil
            awaitsContinue = head.headerFields[.expect]?.lowercased() == "100-continue"
            if head.headerFields[.connection] == "close" { lastPlace = requestCount }
            requestCount += 1
        case .body: awaitsContinue = false
        case .end:
            awaitsContinue = false
            connection?.noteReceived()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isLingering { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            connection?.end()
            if isLingering { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// The body is about to be read: a client that waits for permission to send it gets it.
    struct BodyWanted: Sendable {}

    /// Completes when the socket has taken everything written before.
    struct Departure: Sendable {}

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is BodyWanted:
            if awaitsContinue {
                awaitsContinue = false
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            promise?.succeed()
        case is Departure:
            if let lastDeparture { lastDeparture.cascade(to: promise) } else { promise?.succeed() }
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.kind != .informational:
            if let exchange = connection?.exchange {
                exchange.noteStatus(head.status.code)
            } else {
                connections.metrics.noteUnreadable()
            }
            if connections.isStopping || lastPlace == answerCount || connection?.hasReceived(answerCount) != true {
                head.headerFields[.connection] = "close"
            }
            closesAfterAnswer = head.headerFields[.connection]?.lowercased() == "close"
            awaitsContinue = false
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head: context.write(data, promise: promise)
        case .body(let bytes):
            connection?.exchange?.noteSent(bytes.readableBytes)
            context.write(data, promise: watched(promise, context))
        case .end:
            answerCount += 1
            let promise = watched(promise, context, ending: connection?.takeExchange())
            guard closesAfterAnswer else {
                times.idleSince = Time.monotonic
                return context.write(data, promise: promise)
            }
            linger(context, after: promise.futureResult)
            context.writeAndFlush(data, promise: promise)
            context.close(mode: .output, promise: nil)
        }
    }

    /// A promise for a write that ends the connection if it stalls. A head alone is not watched: its body or end
    /// follows.
    private func watched(
        _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext, ending exchange: Exchange? = nil
    ) -> EventLoopPromise<Void> {
        let promise = promise ?? context.eventLoop.makePromise()
        let times = times
        if times.writeCount == 0 { times.lastWrite = Time.monotonic }
        times.writeCount += 1
        lastDeparture = promise.futureResult
        promise.futureResult.assumeIsolated().whenComplete { result in
            times.writeCount -= 1
            times.lastWrite = Time.monotonic
            exchange?.finish(isWhole: (try? result.get()) != nil)
        }
        return promise
    }

    /// - Parameter end: completes when the last byte has been sent, which a slow reader delays.
    private func linger(_ context: ChannelHandlerContext, after end: EventLoopFuture<Void>) {
        isLingering = true
        let (times, lingerTime) = (times, connections.limits.lingerTime)
        end.assumeIsolated().whenComplete { _ in times.lingerEnd = Time.monotonic + lingerTime }
        context.read()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { [self] in
            check = nil
            guard connection != nil else { return }
            if isOver { return context.close(promise: nil) }
            scheduleCheck(context)
        }
    }

    private static let interval: TimeAmount = .milliseconds(250)

    private var isOver: Bool {
        let limits = connections.limits
        let now = Time.monotonic
        if let end = times.lingerEnd, now >= end { return true }
        if times.writeCount > 0, now - times.lastWrite >= limits.writeStallTime { return true }
        guard let idleSince = times.idleSince, times.writeCount == 0 else { return false }
        let isFull = connections.count >= connections.acceptedCount
        return now - idleSince >= (isFull ? limits.idleTimeWhenFull : limits.idleTime)
    }
}
