internal import CLinux
internal import Linux

/// Sends messages to systemd as datagrams (sd_notify(3)), if systemd asks for them.
package struct SystemdSocket: Sendable {
    private let path: String?
    /// The interval for the watchdog's messages; `nil` if systemd asks for none.
    package let watchdogInterval: Duration?

    /// The socket that the environment names, if any.
    package init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        // Half of the allowed time, as systemd's manual recommends.
        watchdogInterval =
            isForUs
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.map { .microseconds(max($0, 2) / 2) } : nil
    }

    /// Whether systemd asks for messages.
    package var isThere: Bool { path != nil }

    /// Sends assignments such as `READY=1`, one per line. A failure to send is ignored: the service works without
    /// systemd.
    package func tell(_ lines: String...) {
        guard let path else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let descriptor = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // `@` stands for the zero byte at the beginning of an abstract socket's name.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let text = Array(lines.joined(separator: "\n").utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor.number, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
