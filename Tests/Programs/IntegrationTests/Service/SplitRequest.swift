import Foundation
import Glibc
import TestSupport

/// A request that is sent in two parts, so that a test can act while the service waits for the second one.
enum SplitRequest {
    /// Sends both parts over one connection, and reads the answer's status.
    ///
    /// - Parameters:
    ///   - between: what happens between the parts.
    ///   - seconds: how long the service may be silent.
    /// - Returns: `nil` if the service closed the connection without an answer.
    static func send(
        _ first: [UInt8], _ second: [UInt8], to client: ServiceClient, within seconds: Int = 30,
        between: @escaping @Sendable () throws -> Void
    ) async throws -> Int? {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: the service under test needs those of Swift's tasks.
            Thread {
                continuation.resume(
                    with: Result { try blocking(first, second, to: client, within: seconds, between: between) })
            }.start()
        }
    }

    private static func blocking(
        _ first: [UInt8], _ second: [UInt8], to client: ServiceClient, within seconds: Int, between: () throws -> Void
    ) throws -> Int? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(client.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
        _ = Glibc.send(number, first, first.count, Int32(MSG_NOSIGNAL))
        try between()
        _ = Glibc.send(number, second, second.count, Int32(MSG_NOSIGNAL))
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(number, &part, part.count)
            if count <= 0 { break }
            all += part[..<count]
        }
        return String(decoding: all, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
