import Database
import Foundation

/// A PgBouncer in front of a test server, reachable only through a socket in the server's folder. It ends with this
/// process.
public final class Pooler: Sendable {
    /// How long a client has one of the server's sessions to itself.
    public enum Mode: String, CaseIterable, Sendable {
        /// As long as its connection lasts.
        case session
        /// As long as its transaction lasts.
        case transaction
    }

    /// The installed version, as `[1, 18, 0]`; empty if it is not installed.
    public static let version: [Int] = {
        let command = "PATH=$PATH:/usr/sbin pgbouncer --version 2>/dev/null | head -1"
        guard let output = popen(command, "r") else { return [] }
        defer { pclose(output) }
        var line = [CChar](repeating: 0, count: 200)
        guard fgets(&line, Int32(line.count), output) != nil else { return [] }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.drop { !$0.isNumber }.split { !$0.isNumber }.compactMap { Int($0) }
    }()

    /// Whether prepared statements last beyond a transaction (PgBouncer 1.21, pgbouncer.org/changelog.html).
    public static var keepsStatements: Bool { !version.lexicographicallyPrecedes([1, 21]) }

    private let folder: String
    private let process = Process()
    /// Open as long as the pooler has to run.
    private let input = Pipe()

    /// Starts a pooler.
    ///
    /// - Parameter settings: lines of `pgbouncer.ini` in addition to those that every test needs.
    public init(before server: TestServer, _ mode: Mode, settings: [String] = []) throws {
        guard !Self.version.isEmpty else { throw TestServer.NotStarted(log: "PgBouncer is not installed: make setup") }
        folder = try server.makeFolder("pooler")
        if geteuid() == 0 { chown(folder, 65534, 65534) }
        let upstream = server.socketPath.split(separator: "/").dropLast().joined(separator: "/")
        let lines =
            [
                "[databases]", "* = host=/\(upstream) port=5432 user=test", "[pgbouncer]", "listen_addr =",
                "listen_port = 5432", "unix_socket_dir = \(folder)", "auth_type = any", "pool_mode = \(mode.rawValue)",
                "default_pool_size = 100", "max_client_conn = 500", "ignore_startup_parameters = options",
            ] + (Self.keepsStatements ? ["max_prepared_statements = 200"] : []) + settings
        try lines.joined(separator: "\n").write(toFile: "\(folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
        let script = """
            PATH=$PATH:/usr/sbin
            \(TestServer.asUser)pgbouncer '\(folder)/pgbouncer.ini' > '\(folder)/log' 2>&1 < /dev/null &
            pooler=$!
            read _
            exec 2> /dev/null
            kill -9 $pooler
            """
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = input
        // Otherwise programs that this process starts hold the input open beyond its end.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        try waitUntilReady()
    }

    deinit { try? input.fileHandleForWriting.close() }

    private func waitUntilReady() throws {
        let end = Date().addingTimeInterval(30)
        while Date() < end {
            if let address = try? Address(url(of: "postgres"), program: "tests"),
                (try? PostgreSQLDatabase(address, connectionLimit: 1).transaction(.reading) { _ in }) != nil
            {
                return
            }
            usleep(20_000)
        }
        throw TestServer.NotStarted(log: (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "no log")
    }

    /// The address of a database of the server, through this pooler.
    public func url(of database: String) -> String { TestServer.url(of: database, at: [folder]) }
}
