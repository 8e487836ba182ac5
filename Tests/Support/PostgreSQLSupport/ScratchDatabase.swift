internal import Glibc
public import PostgreSQL

/// A database of its own on the tests' server, which goes with the last reference to it.
public final class ScratchDatabase: Sendable {
    /// Its name on the server.
    public let name: String
    /// Connections to it.
    public let database: PostgreSQLDatabase
    /// Signals through it.
    public let notifier: Notifier
    /// The server that all tests of this process share.
    public let server: TestServer

    /// Makes an empty database.
    ///
    /// - Parameter channels: what can be signalled.
    public init(channels: [String]) throws {
        server = try TestServer.shared.get()
        name = try server.makeDatabase()
        let address = try Address(server.url(of: name), program: "tests")
        database = PostgreSQLDatabase(address)
        notifier = try Notifier(address, channels: channels)
        // The beginning of its connection wakes all listeners once.
        while !notifier.isConnected { usleep(1000) }
    }

    deinit { server.drop(name) }
}
