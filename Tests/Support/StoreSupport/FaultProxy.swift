import Foundation
import Glibc
import Synchronization

/// A proxy between a client and its store that treats chosen requests like networks and stores at their worst.
public final class FaultProxy: Sendable {
    /// A request as the proxy sees it.
    public struct Request: Sendable {
        /// Method and address: `PUT /bucket/key?partNumber=1`.
        public let line: String
        public let bodyByteCount: Int
    }

    /// What happens to a request.
    public enum Fate: Sendable {
        case pass
        /// The connection ends before the store has received anything.
        case cut
        /// The store carries it out, and the connection ends without its answer.
        case silence
        /// The answer comes late.
        case delay(milliseconds: UInt32)
        /// The answer's body comes at a few thousand bytes per second.
        case trickle
        /// Only half of the answer's body comes.
        case truncate
        /// Half of the answer's body comes, and then the connection is reset.
        case reset
        /// One bit of the answer's body is flipped.
        case corrupt
        /// One bit of the request's body is flipped.
        case corruptRequest
        /// The request is confirmed at once, and the store receives it later, as through a slow gateway.
        case late(milliseconds: UInt32)
        /// The times of objects in the answer are years old.
        case aged
        /// The text is answered, and the store receives nothing.
        case answer(String)
    }

    /// Such as `http://127.0.0.1:40001`.
    public let address: String
    private let upstream: UInt16?
    private let listener: Int32
    private let decide: @Sendable (Request) -> Fate
    private let lines = Mutex<[String]>([])

    /// The lines of all requests so far.
    public var requests: [String] { lines.withLock { $0 } }

    /// - Parameters:
    ///   - store: `nil` for a proxy that answers every request itself.
    /// - decide: called with each request, on several threads.
    public init(to store: TestStore? = nil, _ decide: @escaping @Sendable (Request) -> Fate) {
        upstream = store?.port
        self.decide = decide
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        address = "http://127.0.0.1:\(LocalPort.bind(listener))"
        listen(listener, 64)
        // The thread serves as long as the process lives.
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in
                    serve(connection)
                    close(connection)
                }
            }
        }
    }

    /// An error answer in S3's format.
    public static func error(_ status: String, _ code: String, fields: [String] = [], members: String = "") -> Fate {
        let body = "<Error><Code>\(code)</Code><Message>As the test wants it</Message>\(members)</Error>"
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
        return .answer(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    private func serve(_ connection: Int32) {
        guard let (head, rest) = Self.head(from: connection) else { return }
        let text = String(decoding: head, as: UTF8.self)
        let length =
            text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        var body = rest
        while body.count < length, let part = Self.bytes(from: connection) { body += part }
        let line = text.prefix { $0 != "\r\n" }.split(separator: " ").prefix(2).joined(separator: " ")
        lines.withLock { $0.append(line) }
        let fate = decide(Request(line: line, bodyByteCount: length))
        switch fate {
        case .cut: return
        case .answer(let answer):
            Self.write(Array(answer.utf8), to: connection)
            return
        case .late(let milliseconds):
            Self.write(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8), to: connection)
            shutdown(connection, Int32(SHUT_RDWR))
            usleep(milliseconds * 1000)
        case .delay(let milliseconds): usleep(milliseconds * 1000)
        case .corruptRequest where !body.isEmpty: body[body.count / 2] ^= 1
        default: break
        }
        guard let upstream, let store = LocalPort.connect(upstream) else { return }
        defer { close(store) }
        // The connection is for one request: the answer ends when it closes.
        let forwarded = text.dropLast() + "Connection: close\r\n\r\n"
        Self.write(Array(forwarded.utf8) + body, to: store)
        var answer: [UInt8] = []
        while let part = Self.bytes(from: store) { answer += part }
        guard let end = Self.endOfHead(answer) else { return }
        switch fate {
        case .silence: return
        case .trickle: return Self.trickle(answer, to: connection)
        case .aged: answer = Self.aged(answer)
        case .truncate, .reset: answer.removeLast((answer.count - end + 1) / 2)
        case .corrupt where answer.count > end: answer[end + (answer.count - end) / 2] ^= 1
        default: break
        }
        Self.write(answer, to: connection)
        if case .reset = fate { Self.resetOnClose(connection) }
    }

    /// The connection will end with a reset.
    private static func resetOnClose(_ connection: Int32) {
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }

    /// The same answer with the year 2020 in the fields and elements with an object's time.
    private static func aged(_ answer: [UInt8]) -> [UInt8] {
        var answer = answer
        for (mark, distance) in [
            ("\nLast-Modified: ", "Wed, 25 Nov ".utf8.count), ("<LastModified>", 0), ("<Initiated>", 0),
        ] {
            let mark = Array(mark.utf8)
            var place = 0
            while place + mark.count + distance + 4 <= answer.count {
                if answer[place] == mark[0], answer[place..<(place + mark.count)].elementsEqual(mark) {
                    place += mark.count + distance
                    answer.replaceSubrange(place..<(place + 4), with: Array("2020".utf8))
                }
                place += 1
            }
        }
        return answer
    }

    private static func head(from connection: Int32) -> (head: [UInt8], rest: [UInt8])? {
        var bytes: [UInt8] = []
        while let part = Self.bytes(from: connection) {
            bytes += part
            if let end = endOfHead(bytes) { return (Array(bytes[..<end]), Array(bytes[end...])) }
        }
        return nil
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4) where bytes[index] == 13 {
            if bytes[index..<(index + 4)].elementsEqual(mark) { return index + 4 }
        }
        return nil
    }

    private static func bytes(from connection: Int32) -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(connection, &part, part.count, 0)
        return count > 0 ? Array(part[..<count]) : nil
    }

    private static func trickle(_ bytes: [UInt8], to connection: Int32) {
        for start in stride(from: 0, to: bytes.count, by: 500) {
            guard write(Array(bytes[start..<min(start + 500, bytes.count)]), to: connection) else { return }
            usleep(200_000)
        }
    }

    /// - Returns: `false` if the other side has closed.
    @discardableResult
    private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
