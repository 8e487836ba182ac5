import People
import TestDeadline
import Testing

@Suite("Turns of visitors", .deadline)
struct VisitorMeterTests {
    private static let long = Duration.seconds(50)

    @Test("A link has its bound, all links have theirs, and each refusal says which one was reached")
    func bounds() async throws {
        let meter = VisitorMeter(perLink: 2, total: 3)
        let first = try await meter.turn(of: "a", within: .zero)
        let second = try await meter.turn(of: "a", within: .zero)
        await #expect(throws: AccessError.tooManyRequests(retryAfter: .seconds(1))) {
            try await meter.turn(of: "a", within: .milliseconds(1))
        }
        let third = try await meter.turn(of: "b", within: .zero)
        await #expect(throws: AccessError.busy(retryAfter: .seconds(1))) {
            try await meter.turn(of: "b", within: .milliseconds(1))
        }
        first.end()
        first.end()
        _ = try await meter.turn(of: "b", within: .zero)
        withExtendedLifetime((second, third)) {}
    }

    @Test("Who waits is admitted when a turn ends, the longest wait first, and past those whose link is full")
    func waiting() async throws {
        let meter = VisitorMeter(perLink: 1, total: 2)
        let (first, second) = (
            try await meter.turn(of: "a", within: .zero), try await meter.turn(of: "b", within: .zero)
        )
        async let again = meter.turn(of: "a", within: Self.long)
        async let other = meter.turn(of: "c", within: Self.long)
        second.end()
        // Link `a` is still full.
        let admitted = try await other
        first.end()
        let last = try await again
        withExtendedLifetime((admitted, last)) {}
    }

    @Test("A turn ends at the latest when nobody has it, and a wait with its task")
    func ends() async throws {
        let meter = VisitorMeter(perLink: 1, total: 1)
        for _ in 0..<3 { _ = try await meter.turn(of: "a", within: .zero) }
        let held = try await meter.turn(of: "a", within: .zero)
        let waiter = Task { try await meter.turn(of: "a", within: Self.long) }
        waiter.cancel()
        await #expect(throws: AccessError.self) { try await waiter.value }
        held.end()
        _ = try await meter.turn(of: "a", within: .zero)
    }
}
