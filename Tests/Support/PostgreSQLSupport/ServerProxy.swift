import Foundation
import Synchronization

/// A proxy between clients and a server that acts like networks, poolers and stopped servers at their worst.
public final class ServerProxy: Sendable {
    /// What happens to the bytes that a client sends.
    public enum Fate: Sendable {
        case pass
        /// The connection ends before the server has received anything.
        case cut
        /// The server carries it out, and the connection ends without its answer.
        case loseAnswer
        /// From now on nothing reaches or leaves the server; the connection stays.
        case hang
    }

    private struct State {
        var dropsNotifications = false
        var droppedCount = 0
        var nextFate: Fate?
    }

    private let folder: String
    private let upstream: String
    private let decide: @Sendable (_ sent: String) -> Fate
    private let state = Mutex(State())

    /// - Parameter decide: called with each part that a client sends at once, on several threads. A statement's text is
    ///   in it when it is prepared.
    public init(to server: TestServer, _ decide: @escaping @Sendable (_ sent: String) -> Fate = { _ in .pass }) throws {
        upstream = server.socketPath
        folder = try server.makeFolder("proxy")
        self.decide = decide
        let listener = try UnixSocket.listen(at: "\(folder)/.s.PGSQL.5432")
        // The thread serves as long as the process lives.
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in
                    if let server = UnixSocket.connect(to: upstream) {
                        serve(client, server)
                        close(server)
                    }
                    close(client)
                }
            }
        }
    }

    /// The address of a database of the server, through this proxy.
    public func url(of database: String) -> String { TestServer.url(of: database, at: [folder]) }

    /// Applies a fate to the next part that a client sends, whatever `decide` says.
    public func meetNext(_ fate: Fate) { state.withLock { $0.nextFate = fate } }

    private func fate(of sent: String) -> Fate {
        let next = state.withLock { state in
            defer { state.nextFate = nil }
            return state.nextFate
        }
        return next ?? decide(sent)
    }

    /// Whether notifications are withheld from clients, as by a pooler of transactions.
    public var dropsNotifications: Bool {
        get { state.withLock { $0.dropsNotifications } }
        set { state.withLock { $0.dropsNotifications = newValue } }
    }

    /// The number of notifications withheld from clients.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    private func serve(_ client: Int32, _ server: Int32) {
        var (isLosing, isHanging) = (false, false)
        var answer: [UInt8] = []
        while true {
            var entries = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, 2, -1) > 0 || errno == EINTR else { return }
            if entries[0].revents != 0 {
                guard let sent = UnixSocket.read(client) else { return }
                switch isHanging ? .hang : fate(of: String(decoding: sent, as: UTF8.self)) {
                case .pass: UnixSocket.write(sent, to: server)
                case .cut: return
                case .loseAnswer:
                    isLosing = true
                    UnixSocket.write(sent, to: server)
                case .hang: isHanging = true
                }
            }
            if entries[1].revents != 0 {
                guard let bytes = UnixSocket.read(server) else { return }
                answer += bytes
                for message in Self.takeMessages(&answer) where !isHanging {
                    // The server is ready for the next statement, so it has carried out this one.
                    if isLosing, message[0] == UInt8(ascii: "Z") { return }
                    if isLosing || isDropped(message) { continue }
                    UnixSocket.write(message, to: client)
                }
            }
        }
    }

    private func isDropped(_ message: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.dropsNotifications, message[0] == UInt8(ascii: "A") else { return false }
            state.droppedCount += 1
            return true
        }
    }

    /// A server's complete messages, each with its type and length
    /// (postgresql.org/docs/current/protocol-message-formats.html).
    private static func takeMessages(_ bytes: inout [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var start = 0
        while bytes.count - start >= 5 {
            let length = bytes[(start + 1)..<(start + 5)].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count - start > length else { break }
            messages.append(Array(bytes[start...(start + length)]))
            start += length + 1
        }
        bytes.removeFirst(start)
        return messages
    }
}

/// Sockets with a path.
private enum UnixSocket {
    static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(path, { bind(listener, $0, $1) }) == 0, Glibc.listen(listener, 64) == 0 else {
            throw TestServer.NotStarted(log: "no socket at \(path)")
        }
        return listener
    }

    static func connect(to path: String) -> Int32? {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if withAddress(path, { Glibc.connect(connection, $0, $1) }) == 0 { return connection }
        close(connection)
        return nil
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func read(_ connection: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(connection, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    static func write(_ bytes: [UInt8], to connection: Int32) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}
