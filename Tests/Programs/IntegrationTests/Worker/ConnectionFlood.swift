import Foundation
import Linux
import Synchronization

/// Clients on one thread that hold connections to a port, and open closed ones again.
final class ConnectionFlood: Sendable {
    /// A client's behaviour on its connection.
    enum Manner: String, CaseIterable, Sendable {
        /// Sends nothing.
        case idle
        /// Sends half a request.
        case half
        /// Sends a header that never ends, a byte at a time.
        case slowLoris
        /// Sends whole requests, many at once, and reads no answer.
        case deaf
        /// Sends a request whose body never ends.
        case slowBody
    }

    private let port: Int
    private let manner: Manner
    private let isOver = Promise<Void>()
    private let openings = Atomic(0)
    private let thread = Mutex<WorkerThread?>(nil)

    init(_ manner: Manner, count: Int, port: Int) throws {
        self.manner = manner
        self.port = port
        let thread = try WorkerThread(name: "flood") { [self] in run(count) }
        self.thread.withLock { $0 = thread }
    }

    /// The number of connections that were begun.
    var openingCount: Int { openings.load(ordering: .relaxed) }

    func end() {
        isOver.fulfil(())
        thread.withLock { $0 }?.join()
    }

    private func run(_ count: Int) {
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        while isOver.current == nil {
            while sockets.count < count {
                guard let socket = open() else { break }
                sockets.append(socket)
            }
            for index in sockets.indices where !goesOn(sockets[index]) {
                close(sockets[index])
                sockets[index] = open() ?? -1
            }
            sockets.removeAll { $0 < 0 }
            Time.sleep(.milliseconds(20))
        }
    }

    private func open() -> Int32? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        openings.add(1, ordering: .relaxed)
        say(beginning, to: number)
        return number
    }

    private var beginning: String {
        switch manner {
        case .idle: ""
        case .half: "GET /metrics HTTP/1.1\r\nHost: a"
        case .slowLoris: "GET /metrics HTTP/1.1\r\n"
        case .deaf: String(repeating: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)
        case .slowBody: "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"
        }
    }

    /// Sends the next bytes; `false` where the connection was closed.
    private func goesOn(_ number: Int32) -> Bool {
        switch manner {
        case .slowLoris, .slowBody: say("a", to: number)
        case .half: say("", to: number)
        case .idle, .deaf: break
        }
        if manner == .deaf {
            var state = pollfd(fd: number, events: 0, revents: 0)
            return poll(&state, 1, 0) == 0
        }
        var byte: UInt8 = 0
        let count = recv(number, &byte, 1, 0)
        return count > 0 || (count < 0 && (errno == EAGAIN || errno == ENOTCONN))
    }

    private func say(_ text: String, to number: Int32) {
        if !text.isEmpty { _ = text.withCString { send(number, $0, strlen($0), Int32(MSG_NOSIGNAL)) } }
    }
}
