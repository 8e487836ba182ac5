public import HTTPServing
public import Hummingbird
public import Library
public import NIOCore
public import People

/// What belongs to one request on its way through the service.
public struct ServiceContext: ServingContext {
    /// Hummingbird's own part: the logger, and the parameters of the path.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    public let channel: any Channel
    /// The request's id and origin.
    public var passage = Passage()
    /// What the handler learns of whom and what the request is about.
    public let subject = AuditSubject()
    /// Who the request comes from, once that is known; where its address is signed, who has signed it.
    public var caller: Caller?
    /// Whom a request for a change names by a route that anybody may call. It is asked for once: what is done for a person is done under
    /// that person's permit.
    var named: Result<Caller, AccessError>?
    /// Whether somebody asks who was handed a signed address.
    var isHanded = false

    /// A context as the server makes it.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension BlockingPool: BlockingWork {}
