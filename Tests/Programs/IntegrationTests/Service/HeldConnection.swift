import Glibc
import Media
import TestSupport

/// A connection to a service on loopback that a test holds open, from any address of 127.0.0.0/8.
final class HeldConnection: Sendable {
    private let socket: Int32

    /// - Parameter lastByte: of the own address.
    init(to client: ServiceClient, from lastByte: UInt8 = 1) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = Self.address(lastByte, port: 0)
        var other = Self.address(1, port: client.port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &own) { own in
            own.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        let connected = withUnsafeMutablePointer(to: &other) { other in
            other.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard result == 0, connected == 0 else { throw Failure(.unavailable, detail: "connect: \(errno)") }
    }

    deinit { close(socket) }

    private static func address(_ lastByte: UInt8, port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(lastByte)).bigEndian
        return address
    }

    func send(_ text: String) {
        _ = text.withCString { Glibc.send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Everything that comes until it has these words; `nil` where the connection is closed before.
    ///
    /// - Throws: `timedOut`.
    func receive(until words: String, within seconds: Int = 20) throws -> String? {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var text = ""
        var part = [UInt8](repeating: 0, count: 4096)
        while !text.contains(words) {
            let count = recv(socket, &part, part.count, 0)
            if count < 0, errno == EAGAIN { throw Failure(.timedOut, detail: text) }
            if count <= 0 { return nil }
            text += String(decoding: part[..<count], as: UTF8.self)
        }
        return text
    }

    /// The status of the next answer; `nil` where the connection is closed before.
    func status(within seconds: Int = 20) throws -> Int? {
        try receive(until: "\r\n\r\n", within: seconds)?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// Whether the service has closed it.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }
}
