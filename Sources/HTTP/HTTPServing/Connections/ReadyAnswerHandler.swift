internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Linux
internal import NIOCore
internal import NIOHTTPTypes

/// Answers requests without the server: from memory on the event loop, or with the result of work on another thread.
///
/// It is between `ConnectionWatch` and the server. While the server sends an answer, or the client reads too slowly,
/// every request passes through: answers are sent in the order of their requests. While work looks for an answer,
/// everything that arrives waits here, and the connection is not read.
final class ReadyAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A request that may be answered here.
    private struct Candidate {
        let request: HTTPRequest
        let way: ReadyAnswer.Way
        let began = Time.monotonic
    }

    /// What has arrived after a request whose answer is being looked for.
    private enum Arrival {
        case part(NIOAny)
        case event(Any)
        case error(any Error)
    }

    private let way: ReadyWay
    private let serverName: String
    private var date = (second: Int64.min, text: "")
    /// The number of requests that passed through and whose answer has not been written.
    private var passedCount = 0
    /// The request whose end is about to be read.
    private var candidate: Candidate?
    /// Whether work is looking for an answer, or the answer that it found has not been sent yet.
    private var isBusy = false
    private var arrivals: [Arrival] = []
    private var isReadWanted = false
    private var hasWritten = false

    private var exchanges: ExchangeOpening { way.exchanges }

    init(_ way: ReadyWay, serverName: String) {
        self.way = way
        self.serverName = serverName
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isBusy { return arrivals.append(.part(data)) }
        switch unwrapInboundIn(data) {
        case .head(let request):
            candidate = way(to: request, context).map { Candidate(request: request, way: $0) }
            if candidate != nil { return }
            passedCount += 1
        case .body: break
        case .end:
            guard let candidate else { break }
            self.candidate = nil
            return answer(candidate, context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasWritten {
            hasWritten = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isBusy { return arrivals.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The server answers input that cannot be parsed, after the requests before it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isBusy { return arrivals.append(.error(error)) }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        arrivals = []
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if isBusy { isReadWanted = true } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passedCount -= 1 }
        context.write(data, promise: promise)
    }

    private func way(to request: HTTPRequest, _ context: ChannelHandlerContext) -> ReadyAnswer.Way? {
        guard passedCount == 0, context.channel.isWritable, !exchanges.connections.isStopping,
            request.method == .get || request.method == .head, Self.hasNoBody(request)
        else { return nil }
        return way.answers.readyAnswer(to: request, port: context.channel.localAddress?.port ?? 0)
    }

    private static func hasNoBody(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        return !fields.contains(.contentLength) && !fields.contains(.transferEncoding) && !fields.contains(.expect)
    }

    private func answer(_ candidate: Candidate, _ context: ChannelHandlerContext) {
        switch candidate.way {
        case .known(let answer):
            write(answer, to: candidate, context, promise: nil)
            hasWritten = true
        case .found(let party, let find):
            isBusy = true
            let (loop, place) = (
                context.eventLoop, NIOLoopBound((self, context, candidate), eventLoop: context.eventLoop)
            )
            way.work.run(for: party, find) { answer in
                loop.execute {
                    let (handler, context, candidate) = place.value
                    handler.end(candidate, answer, context)
                }
            }
        }
    }

    /// Sends the answer that was found, or passes the request on to its route.
    private func end(_ candidate: Candidate, _ answer: ReadyAnswer?, _ context: ChannelHandlerContext) {
        guard let answer else {
            isBusy = false
            passedCount += 1
            context.fireChannelRead(wrapInboundOut(.head(candidate.request)))
            context.fireChannelRead(wrapInboundOut(.end(nil)))
            context.fireChannelReadComplete()
            return takeArrivals(context)
        }
        let hasLeft = context.eventLoop.makePromise(of: Void.self)
        hasLeft.futureResult.assumeIsolated().whenComplete { [self] _ in
            // Until then the bytes of the answer are in memory.
            withExtendedLifetime(answer) {}
            isBusy = false
            takeArrivals(context)
        }
        write(answer, to: candidate, context, promise: hasLeft)
        context.flush()
    }

    private func takeArrivals(_ context: ChannelHandlerContext) {
        let arrivals = arrivals
        self.arrivals = []
        for arrival in arrivals {
            switch arrival {
            case .part(let part): channelRead(context: context, data: part)
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            case .error(let error): errorCaught(context: context, error: error)
            }
        }
        if !arrivals.isEmpty { channelReadComplete(context: context) }
        if isReadWanted, !isBusy {
            isReadWanted = false
            context.read()
        }
    }

    private func write(
        _ answer: ReadyAnswer, to candidate: Candidate, _ context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        let request = candidate.request
        let route = EndpointPath()
        route.value = answer.route
        let passage = exchanges.open(
            request, URI(request.path ?? ""), on: exchanges.connections[context.channel], route: route,
            began: candidate.began)
        var head = answer.head
        head.headerFields[ExchangeOpening.idName] = passage.requestID
        head.headerFields[.date] = dateText
        head.headerFields[.server] = serverName
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .head {
            for piece in answer.pieces where piece.readableBytes > 0 {
                context.write(wrapOutboundOut(.body(piece)), promise: nil)
            }
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private var dateText: String {
        let second = Time.wall / 1_000_000_000
        if date.second != second { date = (second, HTTPDate(seconds: second).text) }
        return date.text
    }
}
