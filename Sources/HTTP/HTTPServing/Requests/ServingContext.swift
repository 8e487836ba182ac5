public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
public import NIOCore

/// What accompanies a request through a service whose connections this module watches.
public protocol ServingContext: RequestContext where Source == ApplicationRequestContextSource {
    /// The connection on which the request arrived.
    var channel: any Channel { get }
    /// What is known about the request itself; `ExchangeMiddleware` fills it.
    var passage: Passage { get set }
}

extension ServingContext {
    /// The scheme and host with which the client reached the service, such as `https://docs.example.org`: as a trusted
    /// proxy states them, otherwise as the request does.
    public func address(of request: Request) -> String {
        "\(passage.origin.scheme ?? "http")://\(passage.origin.host ?? request.head.authority ?? "localhost")"
    }
}

/// One request's id, origin and place on its connection.
public struct Passage: Sendable {
    /// The request's id, in the answer and in every line of the log; empty before `ExchangeMiddleware`.
    public internal(set) var requestID = ""
    /// Where the request came from, even behind trusted proxies.
    public internal(set) var origin = TrustedProxies.Origin(address: nil)
    /// The client's address, for logs; `local` if it has none.
    public var client: String { origin.address?.text ?? "local" }
    /// The name under which the client's quota is counted: its network, or `local`.
    public var network: String { origin.address?.network ?? "local" }
    /// Checks the caller's right again when the whole body has arrived; `nil` for a request that needs none.
    public var reauthorize: Reauthorization?
    /// Whether the client has closed its side of the connection, so that nobody reads the answer.
    public var hasClientLeft: Bool { connection?.hasLeft ?? false }
    var connection: Connection?
    var exchange: Exchange?
    /// The maximum time without a byte of the body.
    var bodyStallTime = ConnectionLimits().bodyStallTime
    /// The place among the requests of the connection.
    var place = 0

    /// A passage that is not known yet.
    public init() {}
}

/// The minimal context that a service needs.
public struct BasicServingContext: ServingContext {
    /// Hummingbird's own part: the logger, which names the request's id, and the parameters of the path.
    public var coreContext: CoreRequestContextStorage
    /// The connection on which the request arrived.
    public let channel: any Channel
    /// What is known about the request itself.
    public var passage = Passage()

    /// A context as the server makes it.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension HTTPFields: HeaderReading {
    /// The values of all fields with this name; none for a text that is not a field name.
    public func values(of name: String) -> [String] { HTTPField.Name(name).map { self[values: $0] } ?? [] }
}
