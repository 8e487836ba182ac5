import Database
import Linux
import PostgreSQLSupport
import Synchronization
import TestDeadline
import Testing

@Suite("Behind PgBouncer", .deadline)
struct PoolerTests {
    private static let channel = "things"
    private let scratch = try! ScratchDatabase(channels: [channel])

    private func address(_ mode: Pooler.Mode, settings: [String] = []) throws -> (Pooler, Address) {
        let pooler = try Pooler(before: scratch.server, mode, settings: settings)
        return (pooler, try Address(pooler.url(of: scratch.name), program: "tests"))
    }

    private func wait(until isTrue: () -> Bool) {
        let end = Time.monotonic + .seconds(20)
        while !isTrue(), Time.monotonic < end { Time.sleep(.milliseconds(5)) }
    }

    // MARK: Locks of uploads

    @Test("Where sessions are kept, a lock is one process's, and ends with its connection")
    func locks() throws {
        let (pooler, address) = try address(.session)
        let (one, other, direct) = (
            NamedLocks(address), NamedLocks(address), NamedLocks(scratch.database.address)
        )
        var held = try one.take("a")
        #expect(held?.isHeld == true)
        #expect(try one.take("a") == nil && other.take("a") == nil && direct.take("a") == nil)
        held = nil
        var next = try direct.take("a")
        #expect(next?.isHeld == true)
        #expect(try one.take("a") == nil)
        next = nil
        let last = try #require(try other.take("a"))
        try scratch.server.disconnect(scratch.name)
        #expect(!last.isHeld)
        #expect(try one.take("b")?.isHeld == true)
        withExtendedLifetime((pooler, next)) {}
    }

    @Test("Where sessions are lent in turn, no lock is given, and the error says what to do")
    func noLocks() throws {
        let (pooler, address) = try address(.transaction)
        let locks = NamedLocks(address)
        for _ in 1...2 {
            #expect {
                try locks.take("a")
            } throws: {
                "\($0)".contains("a pooler that does not keep sessions") && "\($0)".contains("pool_mode = session")
            }
        }
        #expect(try NamedLocks(scratch.database.address).take("a")?.isHeld == true, "nobody was left with it")
        withExtendedLifetime(pooler) {}
    }

    @Test("A session that is lent to others only later gives no lock either")
    func sessionLentLater() throws {
        // The session that was idle for longest is lent next, so the one that was just marked is not examined again at
        // once.
        let (pooler, address) = try address(.transaction, settings: ["server_round_robin = 1"])
        let database = PostgreSQLDatabase(address)
        try database.transaction(.reading) { first in
            _ = try first.integer("SELECT 1")
            try database.transaction(.reading) { second in
                _ = try second.integer("SELECT 1")
                try database.transaction(.reading) { third in _ = try third.integer("SELECT 1") }
            }
        }
        #expect {
            try NamedLocks(address).take("a")
        } throws: {
            "\($0)".contains("pool_mode = session")
        }
        #expect(try NamedLocks(scratch.database.address).take("a")?.isHeld == true, "nobody was left with it")
        withExtendedLifetime(pooler) {}
    }

    // MARK: Signals

    @Test("Where sessions are kept, signals go both ways")
    func signals() throws {
        let (pooler, address) = try address(.session)
        let notifier = try Notifier(address, channels: [Self.channel])
        wait { notifier.isConnected }
        let (heard, told) = (notifier.count(Self.channel), scratch.notifier.count(Self.channel))
        scratch.notifier.send(Self.channel)
        wait { notifier.count(Self.channel) > heard }
        #expect(notifier.isConnected && notifier.count(Self.channel) == heard + 1)
        notifier.send(Self.channel)
        wait { scratch.notifier.count(Self.channel) > told + 1 }
        #expect(scratch.notifier.count(Self.channel) == told + 2)
        withExtendedLifetime(pooler) {}
    }

    @Test("Where sessions are lent in turn, nothing counts as heard, listeners look each second, and others are told")
    func noSignals() throws {
        let (pooler, address) = try address(.transaction)
        let told = scratch.notifier.count(Self.channel)
        let notifier = try Notifier(address, channels: [Self.channel])
        let listener = notifier.makeListener(Self.channel)
        _ = listener.wait(atMost: .zero)
        let began = Time.monotonic
        #expect(listener.wait(atMost: .seconds(30)))
        #expect(Time.monotonic - began < .seconds(10))
        notifier.send(Self.channel)
        wait { scratch.notifier.count(Self.channel) > told }
        #expect(scratch.notifier.count(Self.channel) > told)
        #expect(!notifier.isConnected)
        withExtendedLifetime(pooler) {}
    }

    // MARK: Prepared statements

    /// Runs transactions of several clients that use the same statements and others, and returns what was wrong.
    private func mixed(_ address: Address) throws -> [String] {
        let wrong = Mutex<[String]>([])
        let clients = (0..<4).map { _ in PostgreSQLDatabase(address, connectionLimit: 1) }
        let threads = try clients.enumerated().map { number, client in
            try WorkerThread(name: "client-\(number)") {
                for turn in 0..<60 {
                    // Each client prepares the same number of statements in a different order.
                    let value = (turn + number) % 6
                    do {
                        let answer = try client.transaction(.reading) { session in
                            try session.integer("SELECT \(value) + 10 * ?", [number])
                        }
                        if answer != Int64(value + 10 * number) {
                            wrong.withLock { $0.append("\(value) of \(number): \(answer ?? -1)") }
                        }
                    } catch {
                        wrong.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        return wrong.withLock { $0 }
    }

    @Test("Prepared statements are found where sessions are kept")
    func statements() throws {
        let (pooler, address) = try address(.session)
        #expect(try mixed(address) == [])
        withExtendedLifetime(pooler) {}
    }

    @Test(
        "Prepared statements are found where sessions are lent in turn",
        .enabled(if: Pooler.keepsStatements, "PGBOUNCER \(Pooler.version) IS OLDER THAN 1.21 AND FORGETS THEM"))
    func keptStatements() throws {
        let (pooler, address) = try address(.transaction)
        #expect(try mixed(address) == [])
        withExtendedLifetime(pooler) {}
    }

    @Test("Where prepared statements are forgotten, none is taken for another one, and the error says what to do")
    func forgottenStatements() throws {
        let forgetting = Pooler.keepsStatements ? ["max_prepared_statements = 0"] : []
        let (pooler, address) = try address(.transaction, settings: forgetting + ["server_round_robin = 1"])
        let errors = try mixed(address)
        #expect(!errors.isEmpty && errors.allSatisfy { $0.contains("max_prepared_statements") }, "\(Set(errors))")
        withExtendedLifetime(pooler) {}
    }
}
