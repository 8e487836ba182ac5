/// The lowest frequencies of a component's blocks: enough for a picture of an eighth or a quarter of the size.
struct LowCoefficients {
    enum Detail: Int {
        /// A block's mean.
        case mean = 1
        /// Also the lowest frequencies across, down, and both: a block becomes 2 × 2 samples.
        case quarters = 4
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
    /// `detail.rawValue` numbers a block (mean, across, down, both), not yet multiplied by the quantization's steps, in
    /// halves: files that state only their upper bits are taken in the middle of what those may mean.
    var values: [Int16]

    init(_ details: [Detail], of frame: Frame) {
        var grids: [Grid] = []
        var count = 0
        for (detail, component) in zip(details, frame.components) {
            let across = frame.unitsAcross * component.across
            let down = frame.unitsDown * component.down
            grids.append(Grid(detail: detail, across: across, down: down, start: count))
            count += across * down * detail.rawValue
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
            values[target.start + index * target.detail.rawValue] = means.values[source.start + index]
        }
    }

    /// The coefficient behind the last one that is kept, in zigzag order; and one before it that is not.
    static let end = 5
    static let passedOver = 3

    /// Where in a block's values a coefficient goes, 0, 1, 2 or 4 in zigzag order.
    @inline(__always)
    static func slot(_ index: Int) -> Int { index < passedOver ? index : index &- 1 }

    /// The samples: one or four a block.
    ///
    /// Four are the inverse 2 × 2 transform of the lowest four coefficients. Both transforms being orthonormal, a block's 8 × 8
    /// coefficients are four times those of the 2 × 2 samples that it becomes, and these are half their sums and differences.
    ///
    /// - Parameter steps: the component's quantization table in zigzag order.
    func samples(ofComponent index: Int, steps: [UInt16]) -> [UInt8] {
        let grid = grids[index]
        return grid.detail == .mean
            ? means(grid, Int(steps[0])) : quarters(grid, [0, 1, 2, 4].map { Int(steps[$0]) })
    }

    private func means(_ grid: Grid, _ step: Int) -> [UInt8] {
        values[grid.start..<grid.start + grid.across * grid.down].map { Self.sample(Int($0) &* step) }
    }

    private func quarters(_ grid: Grid, _ steps: [Int]) -> [UInt8] {
        let width = grid.across * 2
        let (meanStep, acrossStep, downStep, bothStep) = (steps[0], steps[1], steps[2], steps[3])
        return [UInt8](unsafeUninitializedCapacity: grid.across * grid.down * 4) { target, written in
            for y in 0..<grid.down {
                for x in 0..<grid.across {
                    let place = grid.start + (y * grid.across + x) * 4
                    let mean = Int(values[place]) &* meanStep
                    let right = Int(values[place + 1]) &* acrossStep
                    let low = Int(values[place + 2]) &* downStep
                    let both = Int(values[place + 3]) &* bothStep
                    let corner = y * 2 * width + x * 2
                    target[corner] = Self.sample(mean &+ right &+ low &+ both)
                    target[corner + 1] = Self.sample(mean &- right &+ low &- both)
                    target[corner + width] = Self.sample(mean &+ right &- low &- both)
                    target[corner + width + 1] = Self.sample(mean &- right &- low &+ both)
                }
            }
            written = target.count
        }
    }

    /// From sixteenths around zero to a sample around 128.
    @inline(__always)
    private static func sample(_ value: Int) -> UInt8 { UInt8(clamping: (value &+ 8) &>> 4 &+ 128) }
}
