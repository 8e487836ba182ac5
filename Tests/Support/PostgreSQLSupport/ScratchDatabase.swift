public import Database
internal import Glibc

/// A database of its own on the tests' server, which goes with the last reference to it.
public final class ScratchDatabase: Sendable {
    /// Its name on the server.
    public let name: String
    /// Connections to it.
    public let database: PostgreSQLDatabase
    /// Signals through it of the test's own; `nil` without any.
    public let notifier: Notifier!
    /// The server that all tests of this process share.
    public let server: TestServer
    private let address: Address

    /// Makes an empty database.
    ///
    /// - Parameter channels: signals of the test's own.
    public init(channels: [String] = []) throws {
        server = try TestServer.shared.get()
        name = try server.makeDatabase()
        address = try Address(server.url(of: name), program: "tests")
        database = PostgreSQLDatabase(address)
        notifier = channels.isEmpty ? nil : try Notifier(address, channels: channels)
        // The beginning of its connection wakes all listeners once.
        if let notifier {
            while !notifier.isConnected { usleep(1000) }
        } else {
            Self.waitForSignals(of: database)
        }
    }

    /// Connections to it as another process has them.
    ///
    /// - Parameter listens: whether it has heard that signals come.
    public func reopened(listens: Bool = true) -> PostgreSQLDatabase {
        let other = PostgreSQLDatabase(address)
        if listens { Self.waitForSignals(of: other) }
        return other
    }

    /// Until its signals arrive, every call counts.
    private static func waitForSignals(of database: PostgreSQLDatabase) {
        while database.changeNumber != database.changeNumber { usleep(1000) }
    }

    deinit { server.drop(name) }
}
