public import HTTPServing
public import Hummingbird
public import Library
public import NIOCore
public import People

/// The state of one request on its way through the service.
public struct ServiceContext: ServingContext {
    /// Hummingbird's own part: the logger, and the parameters of the path.
    public var coreContext: CoreRequestContextStorage
    /// The connection on which the request arrived.
    public let channel: any Channel
    /// The request's id and origin.
    public var passage = Passage()
    /// What the handler learns about whom and what the request concerns.
    public let subject = AuditSubject()
    /// Who the request comes from, once that is known; for a signed address, its signer.
    public var caller: Caller?
    /// The person named by a changing request to a route that anyone may call. It is determined once: work for a person
    /// runs under that person's permit.
    var named: Result<Caller, AccessError>?
    /// Whether the request comes by a signed address.
    var isHanded = false

    /// A context as the server creates it.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension BlockingPool: BlockingWork {}
