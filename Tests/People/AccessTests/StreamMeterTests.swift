import Media
import People
import TestDeadline
import Testing

@Suite("Streams of events that are open at once", .deadline)
struct StreamMeterTests {
    private let meter = StreamMeter(perPerson: 2, perNetwork: 3)
    private let ada = Caller(owner: ID("0199f6a0-1111-7222-8333-444455556666")!)
    private let bob = Caller(owner: ID("0199f6a0-2222-7222-8333-444455556666")!)

    private func begin(_ caller: Caller?, from network: String = "a") -> StreamMeter.Turn? {
        try? meter.begin(of: caller, from: network)
    }

    @Test("A person and a network have so many, and those that end, or that nobody has any more, make room")
    func bounds() throws {
        var turns = [begin(ada), begin(ada, from: "b")]
        #expect(turns.allSatisfy { $0 != nil } && begin(ada, from: "c") == nil, "of the person, wherever they are")
        turns += [begin(nil), begin(bob)]
        #expect(turns.allSatisfy { $0 != nil } && begin(.anonymous) == nil, "of the network, whoever they are")
        // A stream that a full network refuses does not count for the person.
        #expect((0..<5).allSatisfy { _ in begin(bob) == nil })
        turns.append(begin(bob, from: "b"))
        #expect(turns.last! != nil)
        turns[0]?.end()
        turns[0]?.end()
        turns.append(begin(nil))
        #expect(turns.last! != nil && begin(nil) == nil, "an end counts once")
        turns = []
        #expect(begin(nil) != nil && begin(ada) != nil)
        #expect((0..<20).map { _ in begin(.operator) }.allSatisfy { $0 != nil })
    }
}
