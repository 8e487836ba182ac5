internal import CLinux
internal import Glibc
internal import Linux

/// Where a scanner listens: a socket of this machine, or a host and port.
public enum ScannerAddress: Hashable, Sendable {
    /// A Unix socket.
    case path(String)
    /// A host by name or number.
    case network(host: String, port: Int)

    /// Parses `/run/clamav/clamd.ctl` or `127.0.0.1:3310`; `nil` for other texts.
    public init?(parsing text: String) {
        if text.hasPrefix("/") {
            guard text.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
            self = .path(text)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else { return nil }
        self = .network(host: String(text[..<colon]), port: port)
    }

    /// A connected stream whose reads and writes time out after `patience`.
    func connect(patience: Duration) throws(SystemError) -> Descriptor {
        switch self {
        case .path(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let stream = try Self.stream(AF_UNIX, patience)
            try checking("connect \(path)") {
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        CLinux.connect(stream.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
            }
            return stream
        case .network(let host, let port): return try Self.connect(host, port, patience)
        }
    }

    private static func connect(_ host: String, _ port: Int, _ patience: Duration) throws(SystemError) -> Descriptor {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list else {
            throw SystemError("find the host \(host)", number: EHOSTUNREACH)
        }
        defer { freeaddrinfo(first) }
        var last = SystemError("connect \(host):\(port)", number: EHOSTUNREACH)
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let entry = next {
            do throws(SystemError) {
                let stream = try stream(entry.pointee.ai_family, patience)
                try checking("connect \(host):\(port)") {
                    CLinux.connect(stream.number, entry.pointee.ai_addr, entry.pointee.ai_addrlen)
                }
                return stream
            } catch {
                last = error
            }
            next = entry.pointee.ai_next
        }
        throw last
    }

    private static func stream(_ family: Int32, _ patience: Duration) throws(SystemError) -> Descriptor {
        let stream = Descriptor(
            owning: try checking("socket") {
                socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            })
        var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            try checking("setsockopt") {
                setsockopt(stream.number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
        }
        return stream
    }
}
