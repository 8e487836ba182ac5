import Media
import People
import TestDeadline
import Testing

@Suite("How many requests a caller may make", .deadline)
struct RequestMeterTests {
    @Test("Half a minute's requests may come at once, and then they come back at a steady pace")
    func pace() {
        let meter = RequestMeter(perMinute: 60)
        for _ in 0..<30 { #expect(meter.wait(for: "a", at: .zero) == nil) }
        #expect(meter.wait(for: "a", at: .zero) == .seconds(1))
        #expect(meter.wait(for: "a", at: .milliseconds(600)) == .milliseconds(400))
        #expect(meter.wait(for: "a", at: .seconds(1)) == nil)
        #expect(meter.wait(for: "a", at: .seconds(1)) == .seconds(1))
        // A refused request costs nothing, and a pause gives no more than the burst.
        var count = 0
        while meter.wait(for: "a", at: .seconds(1000)) == nil { count += 1 }
        #expect(count == 30)
    }

    @Test("Half an hour's may come at once, and then they come back as the hour goes on")
    func hours() {
        let meter = RequestMeter(perHour: 120)
        for _ in 0..<60 { #expect(meter.wait(for: "a", at: .zero) == nil) }
        #expect(meter.wait(for: "a", at: .zero) == .seconds(30))
        #expect(meter.wait(for: "a", at: .seconds(30)) == nil)
    }

    @Test("Callers do not take from each other, and a clock that stands still is no fault")
    func callers() {
        let meter = RequestMeter(perMinute: 2)
        #expect(meter.wait(for: "a", at: .seconds(5)) == nil && meter.wait(for: "b", at: .seconds(5)) == nil)
        #expect(meter.wait(for: "a", at: .seconds(5)) != nil && meter.wait(for: "a", at: .seconds(4)) != nil)
        #expect(RequestMeter(perMinute: 0).wait(for: "a", at: .zero) == nil)
    }

    @Test("A person is counted wherever they come from, anybody else by their address, the operator never")
    func names() throws {
        let meter = RequestMeter(perMinute: 2)
        let person = Caller(owner: ID<Person>.make(at: Instant(microseconds: 1)))
        try meter.count(person, from: "192.0.2.1", at: .zero)
        #expect(throws: AccessError.self) { try meter.count(person, from: "192.0.2.2", at: .zero) }
        try meter.count(nil, from: "192.0.2.1", at: .zero)
        #expect(throws: AccessError.self) { try meter.count(.anonymous, from: "192.0.2.1", at: .zero) }
        // A caller who acts for another person is counted as themselves.
        let guardian = Caller(owner: person.owner, actor: .make(at: Instant(microseconds: 2)))
        try meter.count(guardian, from: "192.0.2.1", at: .zero)
        for _ in 0..<100 { try meter.count(.operator, from: "192.0.2.1", at: .zero) }
    }

    @Test("A flood of names takes bounded memory, and lets those through who come later")
    func flood() {
        let meter = RequestMeter(perMinute: 2)
        for number in 0..<50_000 { #expect(meter.wait(for: "\(number)", at: .zero) == nil) }
        #expect(meter.wait(for: "late", at: .zero) == nil)
        #expect(meter.wait(for: "late", at: .zero) != nil)
    }
}
