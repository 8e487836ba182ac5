/// Weights as whole numbers, `one` for 1, for multiplying two by two in 16 bits.
struct FixedWeights {
    /// The first old sample of each new one.
    let first: [Int]
    /// The weights of each new sample, one run of `length` after the other; each run's sum is `one`.
    let values: [Int16]
    let length: Int

    static let bits = 14
    static let one = 1 << bits

    /// - Parameter multiple: of what a run's length is, by zeros at its end.
    init(_ weights: Weights, inMultiplesOf multiple: Int) {
        first = weights.first
        length = (weights.length + multiple - 1) / multiple * multiple
        var values: [Int16] = []
        values.reserveCapacity(first.count * length)
        for place in first.indices {
            // Sums are rounded and not the weights: what one loses the next one gains, and an even area keeps its level.
            var (sum, written) = (0.0, 0)
            for value in weights.values[place * weights.length..<(place + 1) * weights.length] {
                sum += Double(value)
                let next = Int((sum * Double(Self.one)).rounded())
                values.append(Int16(next - written))
                written = next
            }
            values += repeatElement(0, count: length - weights.length)
        }
        self.values = values
    }
}
