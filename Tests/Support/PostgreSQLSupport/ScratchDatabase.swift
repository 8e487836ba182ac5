public import Database
internal import Glibc

/// A separate database on the test server, dropped with the last reference to it.
public final class ScratchDatabase: Sendable {
    /// Its name on the server.
    public let name: String
    /// Connections to it.
    public let database: PostgreSQLDatabase
    /// The test's own signals in the database; `nil` without any.
    public let notifier: Notifier!
    /// The server that all tests of this process share.
    public let server: TestServer
    private let address: Address

    /// Makes an empty database.
    ///
    /// - Parameter channels: the test's own signals.
    public init(channels: [String] = []) throws {
        server = try TestServer.shared.get()
        name = try server.makeDatabase()
        address = try Address(server.url(of: name), program: "tests")
        database = PostgreSQLDatabase(address)
        notifier = channels.isEmpty ? nil : try Notifier(address, channels: channels)
        // The start of its connection wakes all listeners once.
        if let notifier {
            while !notifier.isConnected { usleep(1000) }
        } else {
            Self.waitForSignals(of: database)
        }
    }

    /// New connections to it, as another process has them.
    ///
    /// - Parameter listens: whether the connections are ready for signals.
    public func reopened(listens: Bool = true) -> PostgreSQLDatabase {
        let other = PostgreSQLDatabase(address)
        if listens { Self.waitForSignals(of: other) }
        return other
    }

    /// Waits until signals arrive: before that, every call counts as a change.
    private static func waitForSignals(of database: PostgreSQLDatabase) {
        while database.changeNumber != database.changeNumber { usleep(1000) }
    }

    deinit { server.drop(name) }
}
