public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
public import NIOCore

/// What goes with a request through a service whose connections this module watches.
public protocol ServingContext: RequestContext where Source == ApplicationRequestContextSource {
    /// The connection that the request came by.
    var channel: any Channel { get }
    /// What is known of the request itself; `ExchangeMiddleware` fills it.
    var passage: Passage { get set }
}

extension ServingContext {
    /// The scheme and host by which the client reached the service, such as `https://docs.example.org`: a trusted proxy's word, else
    /// what the request itself says.
    public func address(of request: Request) -> String {
        "\(passage.origin.scheme ?? "http")://\(passage.origin.host ?? request.head.authority ?? "localhost")"
    }
}

/// One request's id, origin and place on its connection.
public struct Passage: Sendable {
    /// The request's id, in the answer and in every line of the log; empty before `ExchangeMiddleware`.
    public internal(set) var requestID = ""
    /// Where the request came from, behind trusted proxies too.
    public internal(set) var origin = TrustedProxies.Origin(address: nil)
    /// The client's address, for logs; `local` without one.
    public var client: String { origin.address?.text ?? "local" }
    /// The name by which what a client may do is counted: its network, or `local`.
    public var network: String { origin.address?.network ?? "local" }
    /// Asks for the caller's right again once the whole body has arrived; `nil` for a request that needs none.
    public var reauthorize: Reauthorization?
    /// Whether the client has closed its side of the connection: nobody reads the answer.
    public var hasClientLeft: Bool { connection?.hasLeft ?? false }
    var connection: Connection?
    var exchange: Exchange?
    /// The longest time without a byte of the body.
    var bodyStallTime = ConnectionLimits().bodyStallTime
    /// Among the requests of the connection.
    var place = 0

    /// A passage that is not known yet.
    public init() {}
}

/// The least context that a service needs.
public struct BasicServingContext: ServingContext {
    /// Hummingbird's own part: the logger, which names the request's id, and the parameters of the path.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    public let channel: any Channel
    /// What is known of the request itself.
    public var passage = Passage()

    /// A context as the server makes it.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension HTTPFields: HeaderReading {
    /// Those of the fields with this name; none for a text that is no name.
    public func values(of name: String) -> [String] { HTTPField.Name(name).map { self[values: $0] } ?? [] }
}
