/// Changes to bytes as fuzzers make them, the same in every run.
struct SeededMutation {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A copy of the first `longest` bytes with one to four changes.
    mutating func mutant(of original: [UInt8], atMost longest: Int) -> [UInt8] {
        var bytes = Array(original.prefix(longest))
        for _ in 0...below(4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        guard place < bytes.count else { return bytes.append(UInt8(below(256))) }
        switch below(6) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes[place] = UInt8(below(256))
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(16)))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + below(64))], at: place)
        case 4: bytes.removeLast(bytes.count - place)
        default:
            // Extreme values, for fields that hold sizes and offsets.
            let edges: [UInt8] = [0x00, 0x7F, 0x80, 0xFF]
            for offset in place..<min(bytes.count, place + 1 << below(4)) { bytes[offset] = edges[below(4)] }
        }
    }

    private mutating func below(_ bound: Int) -> Int {
        // The upper bits of a linear congruential generator (Knuth, MMIX).
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
