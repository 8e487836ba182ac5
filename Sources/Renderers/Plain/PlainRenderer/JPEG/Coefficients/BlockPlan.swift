/// What is the same for every block at one place of a scan's unit.
struct BlockPlan {
    /// Which of the scan's components.
    let component: Int
    /// In a sequential scan, the code of its mean and the one of its other coefficients.
    var codes = (mean: 0, rest: 0)
    /// The coefficient behind the last one that is kept of it, in zigzag order.
    let end: Int
    /// Where in `slots` those of its detail begin.
    let firstSlot: Int
    /// How many numbers are kept of it.
    let count: Int
    /// Where in `LowCoefficients.values` the first unit's block goes, and how far the next unit's and the next row's are
    /// from it.
    private let start: Int
    private let step: Int
    private let rowStep: Int

    /// - Parameter grids: of the scan's components.
    static func plans(of layout: ScanLayout, _ grids: [LowCoefficients.Grid]) -> [BlockPlan] {
        layout.blocks.map { block in
            let grid = grids[block.component]
            let size = grid.detail.count
            let step = layout.steps[block.component]
            return BlockPlan(
                component: block.component, end: grid.detail.end, firstSlot: firstSlot(grid.detail), count: size,
                start: grid.start + (block.y * grid.across + block.x) * size, step: step.across * size,
                rowStep: step.down * grid.across * size)
        }
    }

    /// How many numbers a unit has.
    static func length(of plans: [BlockPlan]) -> Int { plans.reduce(0) { $0 + $1.count } }

    /// The same for units that are strung together, whatever their places in the picture.
    static func strung(_ plans: [BlockPlan]) -> [BlockPlan] {
        let length = length(of: plans)
        var start = 0
        return plans.map { plan in
            defer { start += plan.count }
            return BlockPlan(
                component: plan.component, codes: plan.codes, end: plan.end, firstSlot: plan.firstSlot,
                count: plan.count, start: start,
                step: length, rowStep: 0)
        }
    }

    /// Where in a block's numbers each coefficient goes: a run of 32 for each detail but the mean.
    static let slots: [UInt8] = [LowCoefficients.Detail.quarters, .halves].flatMap { detail in
        let slots = detail.slots.map(UInt8.init)
        return slots + repeatElement(0, count: 32 - slots.count)
    }

    private static func firstSlot(_ detail: LowCoefficients.Detail) -> Int { detail == .halves ? 32 : 0 }

    @inline(__always)
    func place(_ column: Int, _ row: Int) -> Int { start &+ row &* rowStep &+ column &* step }
}
