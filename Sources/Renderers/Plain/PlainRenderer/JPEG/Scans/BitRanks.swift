/// Finds the n-th set bit of a number with a table.
struct BitRanks {
    /// For each byte and each rank of 0...15: the place of its set bit of that rank. If it has fewer set bits, their
    /// number, with the highest bit set.
    private let entries: [UInt8] = BitRanks.entries

    private static let entries: [UInt8] = (0..<256).flatMap { byte in
        let places = (0..<8).filter { byte >> $0 & 1 == 1 }.map { UInt8($0) }
        return (0..<16).map { $0 < places.count ? places[$0] : 0x80 | UInt8(places.count) }
    }

    /// The place of the set bit that has `rank` set bits below it, 0...15; 64 if `bits` has fewer.
    @inline(__always)
    func place(ofBit rank: Int, in bits: UInt64) -> Int {
        var (rank, bits, start) = (rank, bits, 0)
        while bits != 0 {
            let entry = Int(entries[Int(truncatingIfNeeded: bits & 0xFF) &<< 4 | rank])
            if entry < 8 { return start &+ entry }
            rank &-= entry & 0x7F
            bits &>>= 8
            start &+= 8
        }
        return 64
    }
}
