import Media
import People
import TestDeadline
import Testing

@Suite(.deadline) struct ConcurrencyMeterTests {
    private let meter = ConcurrencyMeter(atOnce: 2)

    private func attempt(_ caller: Caller?, from client: String = "a", _ body: () async throws -> Void) async -> Bool {
        do {
            try await meter.run(of: caller, from: client, body)
            return true
        } catch AccessError.tooManyRequests {
            return false
        } catch {
            return true
        }
    }

    /// Whether the last of `count` uploads is accepted, each begun while the previous ones are running.
    private func isTaken(_ count: Int, of caller: Caller?) async -> Bool {
        var isInnerTaken = true
        let isTaken = await attempt(caller) {
            if count > 1 { isInnerTaken = await self.isTaken(count - 1, of: caller) }
        }
        return isTaken && isInnerTaken
    }

    @Test("A person sends two files at once; others are not concerned, and the operator is not bound")
    func bound() async {
        let ada = Caller(owner: ID("0199f6a0-1111-7222-8333-444455556666")!)
        let bob = Caller(owner: ID("0199f6a0-2222-7222-8333-444455556666")!)
        for caller in [ada, nil] {
            let (two, three) = (await isTaken(2, of: caller), await isTaken(3, of: caller))
            #expect(two && !three)
            // Finished uploads no longer count.
            let again = await isTaken(2, of: caller)
            #expect(again)
        }
        let operators = await isTaken(9, of: .operator)
        #expect(operators)
        var isOther = false
        _ = await attempt(ada) { _ = await attempt(ada) { isOther = await isTaken(2, of: bob) } }
        #expect(isOther)
    }

    @Test("All callers together have so many at once; one that has ended makes room")
    func all() throws {
        let meter = ConcurrencyMeter(atOnce: 2, ofAll: 3)
        let turns = [try meter.begin("a"), try meter.begin("a"), try meter.begin("b")]
        #expect(throws: AccessError.busy(retryAfter: .seconds(1))) { try meter.begin("c") }
        #expect(throws: AccessError.tooManyRequests(retryAfter: .seconds(1))) { try meter.begin("a") }
        turns[0].end()
        #expect(throws: Never.self) { try meter.begin("c") }
    }

    @Test("An upload that fails has ended")
    func failure() async {
        struct Broken: Error {}
        for _ in 0..<3 { _ = await attempt(nil) { throw Broken() } }
        let isTaken = await isTaken(2, of: nil)
        #expect(isTaken)
    }
}
