internal import HTTPSyntax
internal import Linux
internal import Logging
internal import NIOCore
internal import Synchronization

/// Closes connections beyond the bound of each client's network as they are accepted, before anything is set up for them.
///
/// It stands at the head of the listening channel. Proxies that are trusted carry many clients, and local sockets have no address: neither
/// is bounded.
final class ConnectionGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let most: Int
    private let proxies: TrustedProxies
    private let metrics: HTTPMetrics
    private let logger: Logger
    private let open = OpenConnections()
    private var lastWarning: Duration?

    private static let warningPause = Duration.seconds(60)

    /// The connections of each network. They close on event loops of their own.
    private final class OpenConnections: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func admit(_ network: String, most: Int) -> Bool {
            counts.withLock { counts in
                guard counts[network, default: 0] < most else { return false }
                counts[network, default: 0] += 1
                return true
            }
        }

        func leave(_ network: String) {
            counts.withLock { counts in counts[network] = counts[network].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }

    /// - Parameter most: the connections of one network at the same time.
    init(most: Int, proxies: TrustedProxies, metrics: HTTPMetrics, logger: Logger) {
        self.most = most
        self.proxies = proxies
        self.metrics = metrics
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        guard let address = IPAddress(of: channel), !proxies.contains(address) else {
            return context.fireChannelRead(data)
        }
        let network = address.network
        guard open.admit(network, most: most) else {
            channel.close(promise: nil)
            metrics.noteRefusedConnection()
            return warn(of: network)
        }
        channel.closeFuture.whenComplete { [open] _ in open.leave(network) }
        context.fireChannelRead(data)
    }

    private func warn(of network: String) {
        let now = Time.monotonic
        if let lastWarning, now - lastWarning < Self.warningPause { return }
        lastWarning = now
        logger.warning(
            "refusing connections: one address has as many as are allowed",
            metadata: ["client": "\(network)", "allowed": "\(most)"])
    }
}

extension IPAddress {
    /// The address at the other end of a connection; `nil` for a local socket.
    init?(of channel: any Channel) {
        // A link-local address has its zone behind `%`.
        guard let text = channel.remoteAddress?.ipAddress else { return nil }
        self.init(text.prefix { $0 != "%" })
    }
}
