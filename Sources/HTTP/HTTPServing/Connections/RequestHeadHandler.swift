internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// Applies the HTTP/1 rules for `Host`, `Connection` and the version of a request (RFC 9112, 2.3, 3.2 and 9.6).
///
/// It is before the codec, which drops the version and the fields that these rules concern. All requests pass through
/// it, whether the router or `ReadyAnswerHandler` answers them. After it, `Connection: close` in a request means that
/// its answer is the connection's last; `ConnectionWatch` closes the connection.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Reading {
        case requests
        /// The rest of the connection's last request.
        case lastRequest
        /// Nothing: further input is ignored.
        case nothing
    }

    private var reading = Reading.requests
    private var requestCount = 0
    private var answerCount = 0
    /// The place of the HTTP/1.0 request among the requests of this connection. It is the last request.
    private var oldPlace: Int?

    /// Adds a handler before the codec of a channel's pipeline.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(RequestHeadHandler(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if reading == .nothing { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard Self.hasValidHost(head) else {
                reading = .nothing
                // The server answers 400 and closes the connection, as it does for a request that cannot be parsed.
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            context.fireChannelRead(wrapInboundOut(.head(noted(head))))
            requestCount += 1
        case .body: context.fireChannelRead(data)
        case .end:
            if reading == .lastRequest { reading = .nothing }
            context.fireChannelRead(data)
        }
    }

    private func noted(_ head: HTTPRequestHead) -> HTTPRequestHead {
        var head = head
        let isOld = Self.isOld(head)
        if isOld {
            oldPlace = requestCount
            // A client of HTTP/1.0 does not know `100 Continue`.
            head.headers.remove(name: "Expect")
        }
        let options = head.headers[canonicalForm: "Connection"]
        if isOld || options.contains(where: { $0.lowercased() == "close" }) {
            reading = .lastRequest
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        return head
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where oldPlace == answerCount && head.status.code >= 200:
            // The encoder then does not use chunks.
            head.version = .http1_0
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            answerCount += 1
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        }
    }

    /// Whether the request is HTTP/1.0. The decoder refuses all major versions except 1.
    private static func isOld(_ head: HTTPRequestHead) -> Bool { head.version.minor == 0 }

    /// Whether there is exactly one `Host` (HTTP/1.0 may omit it), and it can be a host with an optional port.
    private static func hasValidHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        guard let host = hosts.first else { return isOld(head) }
        return hosts.count == 1 && host.utf8.allSatisfy(isHostByte)
    }

    /// The bytes of a host and a port (RFC 3986, 3.2.2 and 3.2.3).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}
