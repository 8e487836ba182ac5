import Database
import Linux
import PostgreSQLSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("Threads take turns for connections", .deadline)
struct ConnectionTurnTests {
    private let scratch = try! ScratchDatabase()

    @Test("Who has waited the longest gets the connection that is given back, before who asks then")
    func order() throws {
        let address = try Address(scratch.server.url(of: scratch.name), program: "tests")
        let database = PostgreSQLDatabase(address, connectionLimit: 1)
        let (isHeld, ends) = (Promise<Void>(), Promise<Void>())
        let order = Mutex<[Int]>([])
        @Sendable func take(_ number: Int) {
            try? database.transaction(.reading) { session in
                _ = try session.integer("SELECT 1")
                order.withLock { $0.append(number) }
            }
        }
        var threads: [WorkerThread] = []
        threads.append(
            try WorkerThread(name: "holder") {
                try? database.transaction(.reading) { _ in
                    isHeld.fulfil(())
                    _ = try? ends.value()
                }
                // Asks again while the first waiting one is only about to wake.
                take(4)
            })
        defer { ends.fulfil(()) }
        try isHeld.value()
        let deadline = Time.monotonic + .seconds(8)
        for number in 1...3 {
            threads.append(try WorkerThread(name: "waiter-\(number)") { take(number) })
            while database.waiterCount < number, Time.monotonic < deadline { Time.sleep(.milliseconds(1)) }
        }
        #expect(database.waiterCount == 3)
        ends.fulfil(())
        for thread in threads { thread.join() }
        #expect(order.withLock { $0 } == [1, 2, 3, 4])
        #expect(database.waiterCount == 0)
    }
}
