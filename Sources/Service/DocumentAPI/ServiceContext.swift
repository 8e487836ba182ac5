public import Access
public import Hummingbird
public import NIOCore

/// What belongs to one request on its way through the service.
public struct ServiceContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    public let channel: any Channel
    /// Who the request comes from, once that is known.
    public var caller: Caller?

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
