/// The lowest frequencies of a component's blocks: enough for a picture of an eighth, a quarter or half of the size.
struct LowCoefficients {
    enum Detail {
        /// A block's mean.
        case mean
        /// Also the lowest frequencies across, down, and both: a block becomes 2 × 2 samples.
        case quarters
        /// The lowest four frequencies across and down: 4 × 4 samples.
        case halves

        /// How many samples a block becomes across and down.
        var side: Int {
            switch self {
            case .mean: 1
            case .quarters: 2
            case .halves: 4
            }
        }

        /// How many numbers a block has: those that are kept, and behind them a place for those that are not, which is
        /// quicker than asking for each one.
        var count: Int { self == .mean ? 1 : side * side + 1 }

        /// The coefficient behind the last one that is kept, in zigzag order.
        var end: Int {
            switch self {
            case .mean: 1
            case .quarters: 5
            case .halves: 25
            }
        }

        /// Where in a block's numbers the coefficients before `end` go: row by row, the lowest first.
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

    /// A component's blocks.
    struct Grid {
        let detail: Detail
        /// Blocks in a row and in a column, with those that fill up the units of an interleaved scan.
        let across: Int
        let down: Int
        /// Where they begin in `values`.
        let start: Int
    }

    /// One a component.
    let grids: [Grid]
    /// `detail.count` numbers a block, by `detail.slots`, not yet multiplied by the quantization's steps, in halves: files
    /// that state only their upper bits are taken in the middle of what those may mean.
    var values: [Int16]

    /// - Parameter rowCount: how many rows of an interleaved scan's units; all where absent.
    init(_ details: [Detail], of frame: Frame, rowCount: Int? = nil) {
        var grids: [Grid] = []
        var count = 0
        for (detail, component) in zip(details, frame.components) {
            let across = frame.unitsAcross * component.across
            let down = (rowCount ?? frame.unitsDown) * component.down
            grids.append(Grid(detail: detail, across: across, down: down, start: count))
            count += across * down * detail.count
        }
        self.grids = grids
        values = Array(repeating: 0, count: count)
    }

    /// Takes over a component's means.
    ///
    /// - Parameter means: of the same frame, and nothing else.
    mutating func setMeans(of component: Int, from means: LowCoefficients) {
        let (target, source) = (grids[component], means.grids[component])
        for index in 0..<source.across * source.down {
            values[target.start + index * target.detail.count] = means.values[source.start + index]
        }
    }
}
