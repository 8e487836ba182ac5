internal import HTTPSyntax
internal import Linux
internal import Logging
internal import NIOCore
internal import Synchronization

/// Closes connections above the limit of each client's network when they are accepted, before anything is set up for
/// them.
///
/// When seven eighths of all connections are taken, each network may have its share of half of them. The oldest
/// connections above that share are closed. So a few networks cannot keep others out, whatever they send.
///
/// It is at the head of the listening channel. Trusted proxies carry many clients, and local sockets have no address:
/// neither is limited.
final class ConnectionGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let most: Int
    private let connections: Connections
    private let proxies: TrustedProxies
    private let logger: Logger
    private let open: OpenConnections
    private var lastWarning: Duration?

    private static let warningPause = Duration.seconds(60)

    /// The connections of each network. They close on their own event loops.
    private final class OpenConnections: Sendable {
        private let state = Mutex(State())
        private let connectionCount: Int

        private struct State {
            var nextNumber = 0
            /// By network, numbered in order of arrival.
            var networks: [String: [Int: any Channel]] = [:]
            /// The number of connections of all networks.
            var count = 0
        }

        /// The minimum share of a network, however many networks there are.
        private static let leastShare = 8

        init(connectionCount: Int) { self.connectionCount = connectionCount }

        /// Admits a connection.
        ///
        /// - Parameter count: how many connections are set up. In a burst this lags behind those that were accepted.
        /// - Returns: its number, or `nil` if its network has too many; and the connections to close.
        func admit(
            _ channel: any Channel, of network: String, most: Int, besides count: Int
        ) -> (number: Int?, shed: [any Channel]) {
            state.withLock { state in
                // Seven eighths are taken.
                let isCrowded = max(count, state.count) >= connectionCount / 8 * 7
                guard isCrowded else { return (admit(channel, of: network, most: most, &state), []) }
                let share = max(Self.leastShare, connectionCount / 2 / max(1, state.networks.count))
                var shed: [any Channel] = []
                for (network, channels) in state.networks where channels.count > share {
                    let oldest = channels.keys.sorted().prefix(channels.count - share)
                    shed += oldest.map { channels[$0]! }
                    for number in oldest { state.networks[network]![number] = nil }
                    state.count -= oldest.count
                }
                return (admit(channel, of: network, most: min(most, share), &state), shed)
            }
        }

        private func admit(_ channel: any Channel, of network: String, most: Int, _ state: inout State) -> Int? {
            guard state.networks[network]?.count ?? 0 < most else { return nil }
            defer { state.nextNumber += 1 }
            state.count += 1
            state.networks[network, default: [:]][state.nextNumber] = channel
            return state.nextNumber
        }

        func leave(_ number: Int, of network: String) {
            state.withLock { state in
                if state.networks[network]?.removeValue(forKey: number) != nil { state.count -= 1 }
                if state.networks[network]?.isEmpty == true { state.networks[network] = nil }
            }
        }
    }

    /// - Parameter most: the maximum number of open connections of one network.
    init(most: Int, _ connections: Connections, proxies: TrustedProxies, logger: Logger) {
        self.most = most
        self.connections = connections
        self.proxies = proxies
        self.logger = logger
        open = OpenConnections(connectionCount: connections.limits.connectionCount)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        guard let address = IPAddress(of: channel), !proxies.contains(address) else {
            return context.fireChannelRead(data)
        }
        let network = address.network
        let (number, shed) = open.admit(channel, of: network, most: most, besides: connections.count)
        for channel in shed {
            channel.close(promise: nil)
            connections.metrics.noteRefusedConnection()
        }
        guard let number else {
            channel.close(promise: nil)
            connections.metrics.noteRefusedConnection()
            return warn(of: network)
        }
        channel.closeFuture.whenComplete { [open] _ in open.leave(number, of: network) }
        context.fireChannelRead(data)
    }

    private func warn(of network: String) {
        let now = Time.monotonic
        if let lastWarning, now - lastWarning < Self.warningPause { return }
        lastWarning = now
        logger.warning(
            "refusing connections: one address has reached its limit",
            metadata: ["client": "\(network)", "allowed": "\(most)"])
    }
}

extension IPAddress {
    /// The address at the other end of a connection; `nil` for a local socket.
    init?(of channel: any Channel) {
        // A link-local address has its zone after `%`.
        guard let text = channel.remoteAddress?.ipAddress else { return nil }
        self.init(text.prefix { $0 != "%" })
    }
}
