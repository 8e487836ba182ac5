import CLinux
import Linux

/// What systemd is told, by datagrams of our own (sd_notify(3)); nothing where it does not ask.
struct SystemdSocket: Sendable {
    private let path: String?
    /// How often it wants to hear that the service lives; `nil` where it does not ask.
    let watchdogInterval: Duration?

    init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        // Half of what it allows, as its manual recommends.
        watchdogInterval =
            isForUs
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.map { .microseconds(max($0, 2) / 2) } : nil
    }

    var isThere: Bool { path != nil }

    /// Sends assignments such as `READY=1`, one a line. Whoever does not listen misses nothing that matters.
    func tell(_ lines: String...) {
        guard let path else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let descriptor = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // `@` stands for the zero byte with which names begin that are no files.
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
