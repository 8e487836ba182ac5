import PostgreSQL
import PostgreSQLSupport
import Testing

@Suite("Locks by name hold between processes")
struct NamedLocksTests {
    private let scratch = try! ScratchDatabase(channels: ["unused"])

    @Test("One holder at a time, in this process or another, until it lets go")
    func exclusive() throws {
        let (one, other) = (NamedLocks(scratch.database.address), NamedLocks(scratch.database.address))
        var held = try one.take("a")
        #expect(held != nil)
        #expect(try one.take("a") == nil && other.take("a") == nil)
        let beside = try other.take("b")
        #expect(beside != nil)
        held = nil
        let next = try other.take("a")
        #expect(next != nil)
        #expect(try one.take("a") == nil)
        withExtendedLifetime((beside, next)) {}
    }

    @Test("Locks come back with the connection, and those of an ended one are free")
    func reconnecting() throws {
        let (one, other) = (NamedLocks(scratch.database.address), NamedLocks(scratch.database.address))
        let held = try one.take("a")
        try scratch.server.psql(
            "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(scratch.name)'")
        // The first call finds the connection broken, the second one makes another.
        #expect(throws: PostgreSQLError.self) { try one.take("b") }
        let second = try one.take("b")
        #expect(second != nil)
        #expect(try other.take("a") == nil, "the lock was taken again")
        withExtendedLifetime((held, second)) {}
    }
}
