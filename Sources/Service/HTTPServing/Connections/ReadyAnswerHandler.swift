internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Linux
internal import NIOCore
internal import NIOHTTPTypes

/// Answers requests from memory on the event loop; all others pass through to the server.
///
/// It stands between `ConnectionWatch` and the server. While an answer of the server is under way, or the client reads too slowly,
/// every request passes through: answers leave in the order of their requests, and wait in one place.
final class ReadyAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let answers: any ReadyAnswering
    private let exchanges: ExchangeOpening
    private let serverName: String
    private var date = (second: Int64.min, text: "")
    /// Requests that passed through and whose answer has not been written.
    private var passedCount = 0
    /// The answer to the request whose end is about to be read.
    private var pending: (answer: ReadyAnswer, hasBody: Bool)?
    private var hasWritten = false

    init(_ answers: any ReadyAnswering, _ exchanges: ExchangeOpening, serverName: String) {
        self.answers = answers
        self.exchanges = exchanges
        self.serverName = serverName
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            if let answer = readyAnswer(to: request, context) {
                pending = (answer, hasBody: request.method != .head)
                return
            }
            passedCount += 1
        case .body: break
        case .end:
            guard let pending else { break }
            self.pending = nil
            return write(pending.answer, hasBody: pending.hasBody, context)
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

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { passedCount -= 1 }
        context.write(data, promise: promise)
    }

    private func readyAnswer(to request: HTTPRequest, _ context: ChannelHandlerContext) -> ReadyAnswer? {
        guard passedCount == 0, context.channel.isWritable, !exchanges.connections.isStopping,
            request.method == .get || request.method == .head, Self.hasNoBody(request),
            let connection = exchanges.connections[context.channel],
            var answer = answers.readyAnswer(to: request, port: context.channel.localAddress?.port ?? 0)
        else { return nil }
        let route = EndpointPath()
        route.value = answer.route
        let passage = exchanges.open(request, URI(request.path ?? ""), on: connection, route: route)
        answer.head.headerFields[ExchangeOpening.idName] = passage.requestID
        answer.head.headerFields[.date] = dateText
        answer.head.headerFields[.server] = serverName
        // `ConnectionWatch` then ends the connection.
        if request.headerFields[.connection]?.lowercased() == "close" {
            answer.head.headerFields[.connection] = "close"
        }
        return answer
    }

    private static func hasNoBody(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        return !fields.contains(.contentLength) && !fields.contains(.transferEncoding) && !fields.contains(.expect)
    }

    private func write(_ answer: ReadyAnswer, hasBody: Bool, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if hasBody, answer.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        hasWritten = true
    }

    private var dateText: String {
        let second = Time.wall / 1_000_000_000
        if date.second != second { date = (second, HTTPDate(seconds: second).text) }
        return date.text
    }
}
