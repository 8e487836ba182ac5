internal import Glibc
public import Media

/// A small HTTP client over a socket: it sends what it is given, even what no other client would send.
public struct ServiceClient: Sendable {
    /// The service's port, on loopback.
    public let port: Int

    /// A client of a service on this machine.
    public init(port: Int) { self.port = port }

    /// The value of `Host`; `documentd` answers under no other host name.
    public var host: String { "localhost:\(port)" }

    /// What the server answered.
    public struct Answer: Sendable {
        /// The status code.
        public let status: Int
        /// All fields, with names in lower case.
        public let headers: [(name: String, value: String)]
        /// The body, without chunk framing.
        public let body: [UInt8]

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
        /// The body as JSON; `nil` if it is not JSON.
        public var json: JSON? { try? JSON(parsing: body) }
        /// A successful answer's data.
        public var data: JSON? { json?["data"] }
        /// An error's code for programs.
        public var code: String? { json?["code"]?.string }
        /// An error's message for people.
        public var message: String? { json?["message"]?.string }
        /// The field at fault.
        public var field: String? { json?["field"]?.string }

        /// The first value of a field.
        public subscript(name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
    }

    /// Sends one request on its own connection.
    ///
    /// - Parameter seconds: how long the server may be silent.
    public func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        within seconds: Int = 60
    ) throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        let answer = try exchange(Array((head + "\r\n").utf8) + (body ?? []), within: seconds)
        guard let answer else { throw Failure(.unavailable, detail: "no answer to \(method) \(path)") }
        return answer
    }

    /// A request with a JSON body.
    public func send(_ method: String, _ path: String, json: String) throws -> Answer {
        try send(method, path, headers: ["Content-Type": "application/json"], body: Array(json.utf8))
    }

    /// A form of fields and one file.
    public func post(
        _ path: String, fields: [(String, String)], file: (name: String, bytes: [UInt8])?, isFileFirst: Bool = false,
        headers: [String: String] = [:]
    ) throws -> Answer {
        let boundary = "a-boundary-of-the-tests"
        func part(_ disposition: String, _ bytes: [UInt8]) -> [UInt8] {
            Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8) + bytes
                + Array("\r\n".utf8)
        }
        let texts = fields.flatMap { part("name=\"\($0.0)\"", Array($0.1.utf8)) }
        let upload = file.map { part("name=\"file\"; filename=\"\($0.name)\"", $0.bytes) } ?? []
        let body = (isFileFirst ? upload + texts : texts + upload) + Array("--\(boundary)--\r\n".utf8)
        let type = ["Content-Type": "multipart/form-data; boundary=\(boundary)"]
        return try send("POST", path, headers: headers.merging(type) { $1 }, body: body)
    }

    /// Sends bytes, and reads until the server closes the connection.
    ///
    /// - Parameters:
    /// - closes: whether the client closes its side after the bytes.
    ///   - seconds: how long the server may be silent.
    /// - enough: ends the reading early, for streams that do not end.
    /// - Returns: the answer; `nil` if the server has closed without one.
    public func exchange(
        _ bytes: [UInt8], closes: Bool = false, within seconds: Int = 60, until enough: (([UInt8]) -> Bool)? = nil
    ) throws -> Answer? {
        let number = try connected(within: seconds)
        defer { close(number) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // A server that refuses a body stops reading, but its answer can still be read.
            if count <= 0 { break }
            offset += count
        }
        if closes { shutdown(number, Int32(SHUT_WR)) }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(number, &part, part.count)
            if count <= 0 { break }
            all += part[..<count]
            if let enough, enough(all) { break }
        }
        return Self.answer(in: all)
    }

    private func connected(within seconds: Int) throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
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
        guard result == 0 else {
            close(number)
            throw Failure(.unavailable, detail: "connect to port \(port)")
        }
        return number
    }

    /// The answer in a connection's bytes; `nil` if its header is incomplete.
    public static func answer(in bytes: [UInt8]) -> Answer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        // An interim answer precedes the final answer.
        if (100..<200).contains(status) { return answer(in: Array(bytes[end.upperBound...])) }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingPrefix { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
        let rest = Array(bytes[end.upperBound...])
        let isChunked = headers.contains { $0.name == "transfer-encoding" && $0.value.lowercased() == "chunked" }
        return Answer(status: status, headers: headers, body: isChunked ? dechunked(rest) : rest)
    }

    /// The bytes of all complete chunks.
    private static func dechunked(_ bytes: [UInt8]) -> [UInt8] {
        var (body, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
        while let line = rest.firstRange(of: Array("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), count > 0,
            rest[line.upperBound...].count >= count
        {
            let content = rest[line.upperBound...]
            body += content.prefix(count)
            rest = content.dropFirst(count + 2)
        }
        return body
    }

    /// A text as a query value.
    public static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "%" + String(Int(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
            }
        }.joined()
    }
}
