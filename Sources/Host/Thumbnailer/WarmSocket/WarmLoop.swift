internal import CLinux
internal import Linux

/// The loop of a server's thread: waits for the listener and all connections at once.
struct WarmLoop {
    let listener: LocalListener
    /// The server closes its other end to end the loop.
    let wake: MessageSocket
    let connections: WarmConnections

    func run() {
        while true {
            let open = connections.open
            let numbers = [wake.descriptor.number, listener.socket.number] + open.map(\.socket.descriptor.number)
            var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // Wakes once a second to check for connections that send nothing.
            let count = poll(&entries, nfds_t(entries.count), 1000)
            if count < 0 && clinux_errno() != EINTR { return }
            if entries[0].revents != 0 { return }
            for (connection, entry) in zip(open, entries.dropFirst(2)) where entry.revents != 0 {
                connections.hear(connection)
            }
            connections.dropSilent()
            if entries[1].revents != 0 { acceptAll() }
        }
    }

    private func acceptAll() {
        while true {
            do throws(SystemError) {
                guard let socket = try listener.accept() else { return }
                connections.add(socket)
            } catch {
                // Usually for lack of descriptors: waiting clients are accepted when there are some.
                Time.sleep(.milliseconds(10))
                return
            }
        }
    }
}
