import Database
import Linux
import PostgreSQLSupport
import TestDeadline
import Testing

@Suite("A primary that takes no changes any more is left for the one that does", .serialized, .deadline)
struct FormerPrimaryTests {
    private let former: TestServer
    private let present: TestServer
    private let name: String

    init() throws {
        (former, present) = (try TestServer(), try TestServer.shared.get())
        name = try present.makeDatabase()
        try former.psql("postgres", "CREATE DATABASE \(name)")
        for server in [former, present] { try server.psql(name, "CREATE TABLE things (id BIGINT)") }
    }

    /// Both servers, former primary first.
    private func address() throws -> Address {
        try Address(TestServer.url(of: name, on: [former, present]), program: "tests")
    }

    private func rows(_ server: TestServer) throws -> [String] {
        try server.psql(name, "SELECT id FROM things ORDER BY id")
    }

    @Test("Changes go to the other server without an error, and so do reads after the first")
    func transactions() throws {
        let (database, reader) = (PostgreSQLDatabase(try address()), PostgreSQLDatabase(try address()))
        func add(_ id: Int) throws {
            _ = try database.transaction(.durable) { session in
                try session.execute("INSERT INTO things VALUES (?)", [id])
            }
        }
        func count() throws -> Int64? {
            try reader.transaction(.reading) { session in try session.integer("SELECT count(*) FROM things") }
        }
        try add(1)
        #expect(try count() == 1)
        try former.setReadOnly(true)
        try add(2)
        _ = try database.fastTransaction(of: .init("INSERT INTO things VALUES (3) RETURNING id")) { $0.integer(0) }
        #expect(try rows(former) == ["1"] && rows(present) == ["2", "3"])
        _ = try count()
        #expect(try count() == 2)
        // Without its own retry, a change is refused once.
        let once = PostgreSQLDatabase(try address())
        try former.setReadOnly(false)
        _ = try once.transactionOnce(.durable) { session in try session.execute("INSERT INTO things VALUES (4)") }
        try former.setReadOnly(true)
        func addOnce() throws {
            _ = try once.transactionOnce(.durable) { session in try session.execute("INSERT INTO things VALUES (5)") }
        }
        #expect(throws: PostgreSQLError.self) { try addOnce() }
        try addOnce()
        #expect(try rows(former) == ["1", "4"] && rows(present) == ["2", "3", "5"])
    }

    @Test("A one-trip change that is refused is tried on the other server")
    func oneTrip() throws {
        let database = PostgreSQLDatabase(try address())
        func add() throws {
            _ = try database.fastTransaction(of: .init("INSERT INTO things VALUES (1)")) { $0.integer(0) }
        }
        try add()
        try former.setReadOnly(true)
        try add()
        #expect(try rows(former) == ["1"] && rows(present) == ["1"])
    }

    @Test("Locks that were taken there are lost, and the next ones are taken where others look")
    func locks() throws {
        let (one, other) = (NamedLocks(try address()), NamedLocks(try address()))
        let held = try #require(try one.take("a"))
        try former.setReadOnly(true)
        #expect(!held.isHeld)
        let next = try #require(try one.take("b"))
        #expect(next.isHeld)
        #expect(try other.take("b") == nil && other.take("a") == nil, "names move, too")
        withExtendedLifetime(held) {}
    }

    @Test("Signals go through the other server")
    func signals() throws {
        let notifier = try Notifier(try address(), channels: ["things"])
        while !notifier.isConnected { Time.sleep(.milliseconds(5)) }
        try former.setReadOnly(true)
        let listener = try Notifier(
            Address(present.url(of: name), program: "tests"), channels: ["things"])
        while !listener.isConnected { Time.sleep(.milliseconds(5)) }
        let count = listener.count("things")
        notifier.send("things")
        while listener.count("things") == count { Time.sleep(.milliseconds(5)) }
    }

    @Test("Where no server takes changes, an error says so", arguments: ["", "&target_session_attrs=any"])
    func readOnly(_ suffix: String) throws {
        try former.setReadOnly(true)
        let database = PostgreSQLDatabase(try Address(former.url(of: name) + suffix, program: "tests"))
        func isReadOnly(_ error: any Error) -> Bool { (error as? PostgreSQLError)?.isReadOnly == true }
        for mode in [SQLTransaction.Kind.durable, .fast] {
            #expect {
                try database.transaction(mode) { session in try session.execute("INSERT INTO things VALUES (1)") }
            } throws: { isReadOnly($0) }
        }
        #expect {
            try database.fastTransaction(of: .init("INSERT INTO things VALUES (1)")) { $0.integer(0) }
        } throws: { isReadOnly($0) }
        if !suffix.isEmpty {
            let found = try database.transaction(.reading) { try $0.integer("SELECT count(*) FROM things") }
            #expect(found == 0)
        }
    }
}
