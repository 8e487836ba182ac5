import Database
import PostgreSQLSupport
import TestDeadline
import Testing

@Suite("A server that is stopped or far away is noticed", .deadline)
struct SilenceTests {
    private let scratch = try! ScratchDatabase()

    @Test("A connection on which nothing comes is given up, and the next one is used", .timeLimit(.minutes(1)))
    func silence() throws {
        let proxy = try ServerProxy(to: scratch.server)
        let address = try Address(proxy.url(of: scratch.name), program: "tests")
        let database = PostgreSQLDatabase(address, silenceLimit: .milliseconds(300))
        let read = { try database.transaction(.reading) { session in try session.integer("SELECT 1") } }
        #expect(try read() == 1)
        proxy.meetNext(.hang)
        #expect(try read() == 1)
        proxy.meetNext(.hang)
        let found = try database.fastTransaction(of: .init("SELECT 2")) { $0.integer(0) }
        #expect(found == 2)
        proxy.meetNext(.hang)
        #expect(throws: PostgreSQLError.disconnected(message: "the server does not answer")) {
            try database.transactionOnce(.durable) { session in try session.integer("SELECT 1") }
        }
    }

    @Test("A migration may be silent for longer, also in a script; other transactions may not")
    func longMigration() throws {
        let database = PostgreSQLDatabase(scratch.database.address, silenceLimit: .milliseconds(100))
        let sleeping = "SELECT 1 FROM (SELECT pg_sleep(0.5)) AS slept"
        #expect(try database.migration { session in try session.integer(sleeping) } == 1)
        try database.migration { session in try session.script("SELECT pg_sleep(0.5); SELECT 1") }
        #expect(throws: PostgreSQLError.self) {
            try database.transactionOnce(.reading) { session in try session.integer(sleeping) }
        }
    }

    @Test("The server looks for vanished hosts as soon as these look for it, unless the address says otherwise")
    func keepalives() throws {
        func settings(_ suffix: String) throws -> [String] {
            let address = try Address(scratch.server.url(of: scratch.name) + suffix, program: "tests")
            return try PostgreSQLDatabase(address).transaction(.reading) { session in
                // None of them takes effect on a Unix socket, but the requested values show.
                try session.all("SELECT name, reset_val FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name") {
                    "\($0.text(0) ?? "") \($0.text(1) ?? "")"
                }
            }
        }
        #expect(
            try settings("") == [
                "tcp_keepalives_count 3", "tcp_keepalives_idle 10", "tcp_keepalives_interval 5",
                "tcp_user_timeout 20000",
            ])
        #expect(
            try settings("&options=-c%20tcp_keepalives_idle%3D60%20-c%20statement_timeout%3D0") == [
                "tcp_keepalives_count 3", "tcp_keepalives_idle 60", "tcp_keepalives_interval 5",
                "tcp_user_timeout 20000",
            ])
    }
}
