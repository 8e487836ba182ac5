import TestSupport

/// Changes to a file's bytes, as transport, disks and attackers make them.
enum Mutation {
    /// A few flipped bits, a cut, a hole, or a piece of another file in the middle.
    static func mutant(of original: [UInt8], splicing other: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = original
        func place(_ random: inout SplitMix) -> Int { random.next(below: bytes.count) }
        switch random.next() % 10 {
        case 0, 1:
            return Array(bytes[..<max(1, place(&random))])
        case 2:
            let start = place(&random)
            bytes.removeSubrange(start..<min(bytes.count, start + 1 + Int(random.next() % 4096)))
            return bytes.isEmpty ? [0] : bytes
        case 3 where !other.isEmpty:
            let at = place(&random)
            let from = Int(random.next() % UInt64(other.count))
            let piece = other[from..<min(other.count, from + 1 + Int(random.next() % 65_536))]
            bytes.replaceSubrange(at..<min(bytes.count, at + piece.count), with: piece)
            return bytes
        case 4, 5, 6:
            // Headers are at the front, and decide most.
            for _ in 0..<(1 + random.next() % 8) {
                let at = Int(random.next() % UInt64(min(bytes.count, 1024)))
                bytes[at] = UInt8(truncatingIfNeeded: random.next())
            }
            return bytes
        default:
            for _ in 0..<(1 + random.next() % 64) { bytes[place(&random)] ^= 1 << UInt8(random.next() % 8) }
            return bytes
        }
    }
}
