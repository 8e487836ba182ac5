/// Samples without a pattern, the same in every run.
struct Noise {
    private var state: UInt32 = 7

    mutating func sample() -> UInt8 {
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
    }
}
