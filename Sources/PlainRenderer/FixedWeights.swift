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
            let start = values.count
            for value in weights.values[place * weights.length..<(place + 1) * weights.length] {
                values.append(Int16((value * Float(Self.one)).rounded()))
            }
            values += repeatElement(0, count: length - weights.length)
            // What rounding took or gave goes to the largest, so that an even area keeps its level.
            let run = start..<values.count
            let largest = run.max { values[$0] < values[$1] }!
            values[largest] += Int16(Self.one - run.reduce(0) { $0 + Int(values[$1]) })
        }
        self.values = values
    }
}
