import Glibc
import HTTPServing

/// A client of sockets, which can also stall, break off and send nonsense. Its calls block on threads of their own.
final class RawClient: Sendable {
    private static let threads = BlockingPool(threadCount: 64, queueLength: 1000)

    private let socket: Int32

    /// - Parameter lastByte: of the own address in 127.0.0.0/8.
    init(port: Int, receiveBuffer: Int32? = nil, from lastByte: UInt8 = 1) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let socket = socket
        if var size = receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(lastByte)).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, 16) }
        }
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, 16) }
        }
        guard result == 0 else { throw Fault.noConnection }
    }

    deinit { close(socket) }

    enum Fault: Error { case noConnection, timedOut }

    /// Sends all, or as much as the server takes before it closes the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) async throws -> Int {
        let socket = socket
        return try await Self.threads.run {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { break }
                sent += count
            }
            return sent
        }
    }

    @discardableResult
    func send(_ text: String) async throws -> Int { try await send(Array(text.utf8)) }

    /// Reads until the bytes satisfy the test, or the server closes the connection.
    func receive(within seconds: Int = 60, until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false })
        async throws -> [UInt8]
    {
        let socket = socket
        return try await Self.threads.run {
            var received: [UInt8] = []
            var time = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, 16)
            while !isEnough(received) {
                let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                    count = recv(socket, buffer.baseAddress, buffer.count, 0)
                    if count < 0 { count = errno == EAGAIN ? -1 : 0 }
                    if count < 0 {
                        count = 1
                        buffer[0] = 0
                    }
                }
                if piece.isEmpty { break }
                if piece == [0] { throw Fault.timedOut }
                received += piece
            }
            return received
        }
    }

    /// The next answer: its header, and its body by `Content-Length` or up to the end of the connection.
    func answer(within seconds: Int = 60, hasBody: Bool = true) async throws -> Answer {
        let bytes = try await receive(within: seconds) { Answer($0, hasBody: hasBody)?.isWhole == true }
        return Answer(bytes, hasBody: hasBody) ?? Answer(status: 0, fields: [:], body: bytes, isWhole: false)
    }

    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Ends the connection at once, as a killed program's.
    func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        connect(socket, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

/// An answer as it came over the wire.
struct Answer: Sendable {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
    let isWhole: Bool

    var text: String { String(decoding: body, as: UTF8.self) }

    init(status: Int, fields: [String: String], body: [UInt8], isWhole: Bool) {
        self.status = status
        self.fields = fields
        self.body = body
        self.isWhole = isWhole
    }

    /// `nil` where the header is not whole.
    init?(_ bytes: [UInt8], hasBody: Bool) {
        guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            fields[name.lowercased()] = String(line.dropFirst(name.count + 2))
        }
        let body = Array(bytes[end.upperBound...])
        let length =
            hasBody && status >= 200 && status != 204 && status != 304
            ? fields["content-length"].flatMap { Int($0) } : 0
        self.init(status: status, fields: fields, body: body, isWhole: length.map { body.count >= $0 } ?? false)
    }
}
