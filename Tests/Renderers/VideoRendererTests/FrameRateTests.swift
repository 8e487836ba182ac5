import TestDeadline
import Testing
import VideoRenderer

@Suite("Frame rates from headers", .deadline)
struct FrameRateTests {
    /// A mutated header once had a denominator of 2²³.
    @Test("Only plausible fractions are frame rates")
    func fractions() {
        #expect(FrameRate.sound(25, over: 1) == 25)
        #expect(FrameRate.sound(30_000, over: 1001).map { abs($0 - 29.97) < 0.001 } == true)
        #expect(FrameRate.sound(1, over: .max) != nil)
        #expect(FrameRate.sound(.max, over: .max) == 1)
        #expect(FrameRate.sound(90_000, over: 1) == nil)
        #expect(FrameRate.sound(0, over: 1) == nil)
        #expect(FrameRate.sound(-1, over: 0) == nil)
    }
}
