import Database
import PostgreSQLSupport
import TestDeadline
import Testing

@Suite("Locks by name hold between processes", .deadline)
struct NamedLocksTests {
    private let scratch = try! ScratchDatabase()

    private func locks() -> NamedLocks { NamedLocks(scratch.database.address) }

    @Test("One holder at a time, in this process or another, until it lets go")
    func exclusive() throws {
        let (one, other) = (locks(), locks())
        var held = try one.take("a")
        #expect(held?.isHeld == true)
        #expect(try one.take("a") == nil && other.take("a") == nil)
        let beside = try other.take("b")
        #expect(beside != nil)
        held = nil
        let next = try other.take("a")
        #expect(next != nil)
        #expect(try one.take("a") == nil)
        withExtendedLifetime((beside, next)) {}
    }

    @Test("A lock is lost with its connection, and the first call afterwards keeps others out until its holder lets go")
    func reconnecting() throws {
        let (one, other) = (locks(), locks())
        var held = try one.take("a")
        #expect(held?.isHeld == true)
        try scratch.server.disconnect(scratch.name)
        let second = try one.take("b")
        #expect(second?.isHeld == true, "the first call after a restart succeeds")
        #expect(held?.isHeld == false, "somebody may have had it in between")
        #expect(try other.take("a") == nil, "the name was taken again")
        held = nil
        let next = try other.take("a")
        #expect(next?.isHeld == true)
        withExtendedLifetime(second) {}
    }

    @Test("A holder learns of the loss without any other call")
    func noticing() throws {
        let held = try #require(try locks().take("a"))
        try scratch.server.disconnect(scratch.name)
        #expect(!held.isHeld)
        let next = try #require(try locks().take("a"))
        #expect(next.isHeld && !held.isHeld)
    }

    @Test("A name that somebody else has after a restart is his, and the former holder's end frees nothing")
    func takenByAnother() throws {
        let (one, other) = (locks(), locks())
        var former = try one.take("a")
        try scratch.server.disconnect(scratch.name)
        var present = try other.take("a")
        #expect(present?.isHeld == true)
        let beside = try one.take("b")
        #expect(former?.isHeld == false)
        #expect(try one.take("a") == nil)
        present = nil
        let next = try one.take("a")
        #expect(next?.isHeld == true, "the name was dropped")
        former = nil
        #expect(next?.isHeld == true)
        #expect(try other.take("a") == nil)
        withExtendedLifetime((former, present, beside)) {}
    }

    @Test("A server that is silent ends the lock, and blocks nobody for long", .timeLimit(.minutes(1)))
    func silence() throws {
        let proxy = try ServerProxy(to: scratch.server)
        let address = try Address(proxy.url(of: scratch.name), program: "tests")
        let locks = NamedLocks(address, silenceLimit: .milliseconds(300))
        let held = try #require(try locks.take("a"))
        // Only one connection: the next one is healthy.
        proxy.meetNext(.hang)
        #expect(!held.isHeld)
        let next = try locks.take("b")
        #expect(next?.isHeld == true)
    }
}
