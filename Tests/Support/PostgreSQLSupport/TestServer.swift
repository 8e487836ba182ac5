import Database
import Foundation
import TestSupport

/// A real PostgreSQL server in a scratch folder, reachable only through a socket in that folder. It ends with this
/// process, however that ends.
///
/// Root starts it as an ordinary user, because PostgreSQL refuses root.
public final class TestServer: @unchecked Sendable {
    // Safe as `Sendable`: `count` is only accessed with the lock held, and the rest never changes.
    /// The server that all tests of this process share.
    public static let shared = Result { try TestServer() }

    /// Whether tests that support both databases run on PostgreSQL.
    public static var isWanted: Bool { ProcessInfo.processInfo.environment["COMPASS_TEST_DATABASE"] == "postgresql" }

    private let folder = TemporaryFolder.make("pg")
    private let process = Process()
    /// Open as long as the server has to run.
    private let input = Pipe()
    private let lock = NSLock()
    private var count = 0
    /// The folder of the server's programs, such as `pg_dump`.
    public let programs: String

    /// Starts a new server.
    ///
    /// - Parameter settings: lines of `postgresql.conf`, such as `fsync = off`, which is the default here: a test's
    ///   data may be lost.
    public init(settings: [String] = ["fsync = off", "full_page_writes = off"]) throws {
        programs = try Self.installed()
        if geteuid() == 0 { chown(folder, 65534, 65534) }
        let lines =
            settings + ["listen_addresses = ''", "unix_socket_directories = '\(folder)'", "max_connections = 400"] + [
                "cluster_name = '\(folder.split(separator: "/").last!)'"
            ]
        let configuration = lines.map { "printf '%s\\n' \"\($0)\" >> \(folder)/data/postgresql.conf" }.joined(
            separator: "\n")
        let script = """
            cd \(folder) || exit 1
            \(Self.asUser)\(programs)/initdb -D \(folder)/data -N --no-locale -E UTF8 -A trust -U test > \(folder)/log 2>&1 || exit 1
            \(configuration)
            \(Self.asUser)\(programs)/postgres -D \(folder)/data >> \(folder)/log 2>&1 < /dev/null &
            server=$!
            echo $server > \(folder)/pid
            read _
            kill -QUIT "$(cat \(folder)/pid)"
            wait
            rm -rf \(folder)
            """
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = input
        // Otherwise programs that this process starts hold the input open beyond its end.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        try waitUntilReady()
    }

    /// The prefix of a command that runs it as an ordinary user.
    static let asUser = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

    /// Waits until the server accepts connections.
    private func waitUntilReady() throws {
        let end = Date().addingTimeInterval(60)
        while Date() < end {
            if let address = try? Address(url(of: "postgres"), program: "tests"),
                (try? PostgreSQLDatabase(address, connectionLimit: 1).transaction(.reading) { _ in }) != nil
            {
                return
            }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw NotStarted(log: log)
    }

    /// The server did not start; contains its log.
    public struct NotStarted: Error {
        let log: String
    }

    private static func installed() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        guard let newest = versions.compactMap(Int.init).max() else {
            throw NotStarted(log: "PostgreSQL is not installed: make setup")
        }
        return "/usr/lib/postgresql/\(newest)/bin"
    }

    /// The address of a database of this server.
    public func url(of database: String) -> String { Self.url(of: database, at: [folder]) }

    /// The address of a database on several servers, of which one accepts changes.
    public static func url(of database: String, on servers: [TestServer]) -> String {
        url(of: database, at: servers.map(\.folder))
    }

    static func url(of database: String, at folders: [String]) -> String {
        "postgres://test@/\(database)?host=\(folders.joined(separator: ",").replacingOccurrences(of: "/", with: "%2F"))"
    }

    /// The path at which the server listens.
    var socketPath: String { "\(folder)/.s.PGSQL.5432" }

    /// Makes a folder that is removed with the server.
    func makeFolder(_ name: String) throws -> String {
        let path = "\(folder)/\(name)-\(lock.withLock { nextNumber() })"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Stops the server from accepting changes, as a former primary, or lets it accept them again.
    public func setReadOnly(_ isReadOnly: Bool) throws {
        let setting = "default_transaction_read_only"
        try psql("postgres", "ALTER SYSTEM SET \(setting) = \(isReadOnly ? "on" : "off")")
        try psql("postgres", "SELECT pg_reload_conf()")
        // A connection that begins after the reload shows that the others have been signalled.
        while try psql("postgres", "SHOW \(setting)") != [isReadOnly ? "on" : "off"] { usleep(10_000) }
    }

    /// Ends all connections to a database, as a restart of the server would.
    public func disconnect(_ database: String) throws {
        try psql(
            "postgres", "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(database)'")
    }

    /// Adds a superuser whom the server asks for a password.
    public func addUser(_ name: String, password: String) throws {
        try psql("postgres", "CREATE ROLE \(name) LOGIN SUPERUSER PASSWORD '\(password)'")
        let path = try psql("postgres", "SHOW hba_file").joined()
        // One at a time, because the file is read and then written.
        try lock.withLock {
            let rules = try String(contentsOfFile: path, encoding: .utf8)
            try "local all \(name) scram-sha-256\n\(rules)".write(toFile: path, atomically: false, encoding: .utf8)
            let reading = "SELECT pg_conf_load_time()"
            let before = try psql("postgres", reading)
            try psql("postgres", "SELECT pg_reload_conf()")
            // The server reads its settings and this file together; a connection knows under which load time it began.
            while try psql("postgres", reading) == before { usleep(10_000) }
        }
    }

    /// Makes an empty database, which `drop` removes.
    public func makeDatabase() throws -> String {
        let name = "t\(lock.withLock { nextNumber() })"
        try psql("postgres", "CREATE DATABASE \(name)")
        return name
    }

    /// Removes a database with all its connections.
    public func drop(_ database: String) { _ = try? psql("postgres", "DROP DATABASE \(database) WITH (FORCE)") }

    /// Runs SQL as another program.
    ///
    /// - Returns: the rows, one per line.
    @discardableResult
    public func psql(_ database: String, _ sql: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(programs)/psql")
        process.arguments = ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url(of: database), "-c", sql]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotStarted(log: "psql: \(sql)") }
        return text.split(separator: "\n").map(String.init)
    }

    /// Kills the server and all its processes like a crash, then starts it again.
    public func crash() throws {
        let pid = try String(contentsOfFile: "\(folder)/pid", encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        kill(pid_t(pid)!, SIGKILL)
        try restart()
    }

    private func restart() throws {
        let script = """
            cd \(folder)
            # Its processes end once they miss their parent, which stays a zombie of this process's shell.
            while pgrep -f "postgres: $(basename \(folder)):" > /dev/null; do sleep 0.05; done
            rm -f data/postmaster.pid .s.PGSQL.*
            \(Self.asUser)\(programs)/pg_ctl -D \(folder)/data -l \(folder)/data/log-again -w start > /dev/null 2>&1 || exit 1
            head -1 \(folder)/data/postmaster.pid > \(folder)/pid
            """
        // `Process` would also wait for the server, which has its descriptors.
        guard let shell = popen(script, "r"), pclose(shell) == 0 else {
            throw NotStarted(
                log: (try? String(contentsOfFile: "\(folder)/data/log-again", encoding: .utf8)) ?? "no log")
        }
    }
}
