/// The lowest-frequency DCT coefficients of each block: enough for the picture at an eighth, a quarter or half of its
/// size.
struct LowFrequencyCoefficients {
    enum Reduction {
        /// The DC coefficient: a block becomes one sample.
        case eighth
        /// The lowest 2 × 2 frequencies: a block becomes 2 × 2 samples.
        case quarter
        /// The lowest 4 × 4 frequencies: a block becomes 4 × 4 samples.
        case half

        /// The width and height of a block in samples.
        var side: Int {
            switch self {
            case .eighth: 1
            case .quarter: 2
            case .half: 4
            }
        }

        /// The length of a block in `values`: the kept coefficients, and one slot that takes all others, which is
        /// faster than a branch on each.
        var count: Int { self == .eighth ? 1 : side * side + 1 }

        /// The index after the last kept coefficient, in zigzag order.
        var end: Int {
            switch self {
            case .eighth: 1
            case .quarter: 5
            case .half: 25
            }
        }

        /// The slots of the coefficients before `end` within a block's values: row by row, the lowest frequency first.
        var slots: [Int] {
            Self.places.prefix(end).map { place in
                place.row < side && place.column < side ? place.row * side + place.column : side * side
            }
        }

        /// The rows and columns of the first 25 coefficients in zigzag order (ITU-T T.81, figure A.6).
        private static let places: [(row: Int, column: Int)] = (0..<7).flatMap { diagonal in
            let rows = Array(0...diagonal)
            return (diagonal % 2 == 0 ? rows.reversed() : rows).map { ($0, diagonal - $0) }
        }
    }

    /// The blocks of a component.
    struct Grid {
        let reduction: Reduction
        /// Blocks in a row and in a column, including those that complete the MCUs of an interleaved scan.
        let across: Int
        let down: Int
        /// The index in `values` of the first block.
        let start: Int
    }

    /// One grid for each component of the frame.
    let grids: [Grid]
    /// `reduction.count` values per block, ordered by `reduction.slots`, not dequantized, in halves: if only upper bits
    /// are read, the middle of the missing bits' range is half a unit.
    var values: [Int16]

    /// - Parameter rowCount: the number of rows of MCUs; all rows of the picture if `nil`.
    init(_ reductions: [Reduction], of frame: JPEGFrame, rowCount: Int? = nil) {
        var grids: [Grid] = []
        var count = 0
        for (reduction, component) in zip(reductions, frame.components) {
            let across = frame.mcusAcross * component.across
            let down = (rowCount ?? frame.mcusDown) * component.down
            grids.append(Grid(reduction: reduction, across: across, down: down, start: count))
            count += across * down * reduction.count
        }
        self.grids = grids
        values = Array(repeating: 0, count: count)
    }

    /// Copies a component's DC coefficients.
    ///
    /// - Parameter other: only the DC coefficients of the same frame.
    mutating func setDC(of component: Int, from other: LowFrequencyCoefficients) {
        let (target, source) = (grids[component], other.grids[component])
        for index in 0..<source.across * source.down {
            values[target.start + index * target.reduction.count] = other.values[source.start + index]
        }
    }
}
