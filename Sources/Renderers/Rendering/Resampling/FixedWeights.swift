/// Weights as 16-bit integers; `one` stands for 1.
struct FixedWeights {
    /// The first old sample of each new one.
    let first: [Int]
    /// The weights of each new sample, in consecutive runs of `length`; the sum of each run is `one`.
    let values: [Int16]
    /// The length of every run.
    let length: Int

    static let bits = 14
    static let one = 1 << bits

    /// - Parameter multiple: runs are filled up with zeros to a multiple of this length.
    init(_ weights: Weights, inMultiplesOf multiple: Int) {
        first = weights.runs.map(\.first)
        length = (weights.longestRun + multiple - 1) / multiple * multiple
        var values: [Int16] = []
        values.reserveCapacity(first.count * length)
        for run in weights.runs {
            // Sums are rounded, not weights: each weight absorbs the rounding error of the weight before, and a uniform
            // area keeps its level.
            var (sum, written) = (0.0, 0)
            for value in weights.values[run.places] {
                sum += Double(value)
                let next = Int((sum * Double(Self.one)).rounded())
                values.append(Int16(next - written))
                written = next
            }
            values += repeatElement(0, count: length - run.places.count)
        }
        self.values = values
    }
}
