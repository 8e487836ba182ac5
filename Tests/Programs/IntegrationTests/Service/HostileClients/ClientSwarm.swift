import Glibc
import Linux
import Media
import TestSupport

/// Many raw connections to one service, all on the test's own thread.
final class ClientSwarm {
    /// How a client takes its answer.
    enum Reading {
        case all, nothing
        /// So many bytes at once, and then a pause.
        case slowly(byteCount: Int, pause: Duration)
    }

    /// How much of an answer lies in the kernel's buffers.
    enum Buffers {
        case usual, small
        /// Segments and windows of the smallest size.
        case least
    }

    final class Client {
        /// The request's id in the log.
        let id: String
        let request: HostileRequest
        fileprivate let socket: Int32
        fileprivate let reading: Reading
        /// What is sent as long as the service takes it.
        fileprivate var pending: ArraySlice<UInt8>
        /// Sent again whenever all was sent.
        fileprivate let repeated: [UInt8]
        fileprivate var nextRead = Duration.zero
        fileprivate(set) var received: [UInt8] = []
        /// When the service ended the connection; `nil` while it is open.
        fileprivate(set) var ended: Duration?
        fileprivate(set) var isGone = false

        fileprivate init(
            _ id: String, _ request: HostileRequest, _ socket: Int32, _ reading: Reading, _ bytes: [UInt8],
            _ repeated: [UInt8]
        ) {
            (self.id, self.request, self.socket, self.reading) = (id, request, socket, reading)
            (pending, self.repeated) = (bytes[...], repeated)
        }

        var isOpen: Bool { ended == nil && !isGone }
        /// Whether all that the client was told to send has left.
        var hasSent: Bool { pending.isEmpty }
        var answer: ServiceClient.Answer? { ServiceClient.answer(in: received) }
    }

    private let port: Int
    private(set) var clients: [Client] = []
    private let began = Time.monotonic

    init(port: Int) { self.port = port }

    deinit { for client in clients where client.isOpen { close(client.socket) } }

    var openCount: Int { clients.count { $0.isOpen } }

    /// The names of requests that go on.
    var open: [String] { clients.filter(\.isOpen).map(\.id) }

    /// The requests whose connection has ended, each with the beginning of its answer.
    var over: [String] { answers { _ in true } }

    /// The requests whose connection has ended with such a status, or 0 for none, each with the beginning of its answer.
    func answers(_ isWanted: (Int) -> Bool) -> [String] {
        clients.filter { !$0.isOpen }.compactMap { client in
            let answer = client.answer
            guard isWanted(answer?.status ?? 0) else { return nil }
            return "\(client.id): \(answer?.status ?? 0) \(answer?.text.prefix(160) ?? "")"
        }
    }

    /// Opens a connection, on which the bytes follow.
    ///
    /// - Parameters:
    ///   - repeated: is sent behind the bytes again and again.
    @discardableResult
    func add(
        _ request: HostileRequest, id: String, sending bytes: [UInt8], reading: Reading = .all,
        buffers: Buffers = .usual,
        repeating repeated: [UInt8] = []
    ) throws -> Client {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if buffers != .usual {
            // The service's own buffer grows with the segments.
            var (window, segment): (Int32, Int32) = buffers == .least ? (1, 536) : (64 << 10, 1460)
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &window, 4)
            setsockopt(number, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard number >= 0, result == 0 else { throw Failure(.unavailable, detail: "connect to port \(port)") }
        let client = Client(id, request, number, reading, bytes, repeated)
        clients.append(client)
        return client
    }

    /// Sends more on a connection.
    func send(_ bytes: [UInt8], on client: Client) { client.pending += bytes }

    /// Ends a connection from this side: in order, or by a reset.
    func leave(_ client: Client, resetting: Bool) {
        guard client.isOpen else { return }
        client.isGone = true
        if resetting {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client.socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close(client.socket)
    }

    /// Lets all clients go on until a condition holds.
    ///
    /// - Returns: whether it holds in time.
    @discardableResult
    func run(for time: Duration, until isEnough: (ClientSwarm) throws -> Bool) rethrows -> Bool {
        let end = Time.monotonic + time
        while true {
            step()
            if try isEnough(self) { return true }
            if Time.monotonic >= end { return false }
        }
    }

    /// Lets all clients go on until the service has ended all connections, or a time is over.
    func run(for time: Duration) { run(for: time) { $0.openCount == 0 } }

    private func step() {
        let open = clients.filter(\.isOpen)
        let now = Time.monotonic
        var entries = open.map { client in
            var events = 0
            switch client.reading {
            case .all: events = Int(POLLIN)
            case .slowly: if now >= client.nextRead { events = Int(POLLIN) }
            case .nothing: break
            }
            if !client.pending.isEmpty || !client.repeated.isEmpty { events |= Int(POLLOUT) }
            return pollfd(fd: client.socket, events: Int16(events), revents: 0)
        }
        guard poll(&entries, nfds_t(entries.count), 20) > 0 else { return }
        for (client, entry) in zip(open, entries) where entry.revents != 0 {
            if Int(entry.revents) & Int(POLLOUT) != 0 { write(client) }
            let isBroken = Int(entry.revents) & Int(POLLERR | POLLHUP) != 0
            switch client.reading {
            case .nothing: if isBroken { end(client) }
            default: if isBroken || Int(entry.revents) & Int(POLLIN) != 0 { read(client, now) }
            }
        }
    }

    private func write(_ client: Client) {
        if client.pending.isEmpty { client.pending = client.repeated[...] }
        let count = client.pending.withUnsafeBytes {
            Glibc.send(client.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if count > 0 {
            client.pending = client.pending.dropFirst(count)
        } else if errno != EAGAIN {
            // A service that refuses a body stops reading; its answer can be read all the same.
            client.pending = []
        }
    }

    private func read(_ client: Client, _ now: Duration) {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        var most = part.count
        if case .slowly(let byteCount, let pause) = client.reading {
            most = min(byteCount, most)
            client.nextRead = now + pause
        }
        let count = recv(client.socket, &part, most, Int32(MSG_DONTWAIT))
        if count > 0 {
            client.received += part[..<count]
        } else if count == 0 || errno != EAGAIN {
            end(client)
        }
    }

    private func end(_ client: Client) {
        client.ended = Time.monotonic - began
        close(client.socket)
    }
}
