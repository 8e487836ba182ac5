internal import CLinux

/// One end of a `SOCK_SEQPACKET` pair: whole messages, each with up to four descriptors.
public struct MessageSocket: Sendable {
    /// The socket, closed with the last copy.
    public let descriptor: Descriptor

    /// An end over a connected socket.
    public init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// A connected pair, close-on-exec.
    public static func pair() throws(SystemError) -> (MessageSocket, MessageSocket) {
        var ends: (Int32, Int32) = (-1, -1)
        try checking("socketpair") {
            withUnsafeMutableBytes(of: &ends) {
                socketpair(
                    AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0,
                    $0.baseAddress!.assumingMemoryBound(to: Int32.self))
            }
        }
        return (MessageSocket(Descriptor(owning: ends.0)), MessageSocket(Descriptor(owning: ends.1)))
    }

    /// A received message.
    public struct Message: Sendable {
        /// The message's bytes, at least one.
        public let bytes: [UInt8]
        /// The descriptors sent with the message, close-on-exec.
        public let descriptors: [Descriptor]
    }

    /// Sends one message; a broken connection is an error, not a signal.
    public func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(SystemError) {
        try checking("sendmsg") {
            clinux_send(descriptor.number, bytes, bytes.count, descriptors, Int32(descriptors.count), 0)
        }
    }

    /// Waits for a message or the end of the connection; `false` if neither comes before `deadline` on the monotonic
    /// clock.
    public func waitForMessage(until deadline: Duration) throws(SystemError) -> Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        while true {
            // Rounded up: less than a millisecond must not become busy polling.
            let rest = max(0, (deadline - Time.monotonic).milliseconds.rounded(.up))
            let count = poll(&entry, 1, Int32(min(rest, 3_600_000)))
            if count > 0 { return true }
            if count < 0, clinux_errno() != EINTR { throw SystemError.last("poll") }
            if Time.monotonic >= deadline { return false }
        }
    }

    /// Waits for one message by `read(2)`, which takes no descriptors; empty at the end of the connection.
    ///
    /// A message that does not fit is truncated.
    public func readBytes(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try checking("read") { read(descriptor.number, &bytes, limit) }
        return Array(bytes[..<count])
    }

    /// Waits for one message of at most `limit` bytes; `nil` at the end of the connection.
    ///
    /// A message that does not fit is an error (`EMSGSIZE`), and its descriptors are closed.
    /// - Parameter waits: if `false`, `EAGAIN` is thrown if there is no message.
    public func receive(limit: Int, waits: Bool = true) throws(SystemError) -> Message? {
        var numbers: (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
        var count: Int32 = 0
        var truncated: Int32 = 0
        var received = 0
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            do throws(SystemError) {
                received = try checking("recvmsg") {
                    withUnsafeMutableBytes(of: &numbers) {
                        clinux_receive(
                            descriptor.number, buffer.baseAddress!, limit,
                            $0.baseAddress!.assumingMemoryBound(to: Int32.self), &count, &truncated,
                            waits ? 0 : Int32(MSG_DONTWAIT))
                    }
                }
                filled = received
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        let all = [numbers.0, numbers.1, numbers.2, numbers.3]
        let descriptors = all.prefix(Int(count)).map(Descriptor.init(owning:))
        if truncated != 0 { throw SystemError("recvmsg", number: EMSGSIZE) }
        // A closed connection reads as an empty message; no sender here sends one.
        if received == 0 && descriptors.isEmpty { return nil }
        return Message(bytes: bytes, descriptors: descriptors)
    }
}
