/// The decoding parameters that all blocks at one place of an MCU share.
struct BlockPlan {
    /// The index of the block's component within the scan.
    let component: Int
    /// In a sequential scan, the indices of its Huffman codes for the DC and the AC coefficients.
    var codes = (dc: 0, ac: 0)
    /// The index after the last kept coefficient, in zigzag order.
    let end: Int
    /// The place in `slots` where the slots of the component's reduction begin.
    let firstSlot: Int
    /// The length of a block in `LowFrequencyCoefficients.values`.
    let count: Int
    /// The place in `LowFrequencyCoefficients.values` of the first MCU's block, and its distance to the block of the
    /// next MCU and of the next row.
    private let start: Int
    private let step: Int
    private let rowStep: Int

    /// - Parameter grids: one for each component of the scan.
    static func plans(of layout: MCULayout, _ grids: [LowFrequencyCoefficients.Grid]) -> [BlockPlan] {
        layout.blocks.map { block in
            let grid = grids[block.component]
            let size = grid.reduction.count
            let step = layout.steps[block.component]
            return BlockPlan(
                component: block.component, end: grid.reduction.end, firstSlot: firstSlot(grid.reduction), count: size,
                start: grid.start + (block.y * grid.across + block.x) * size, step: step.across * size,
                rowStep: step.down * grid.across * size)
        }
    }

    /// The length of an MCU's coefficients.
    static func length(of plans: [BlockPlan]) -> Int { plans.reduce(0) { $0 + $1.count } }

    /// The same blocks for MCUs that are stored consecutively, whatever their places in the picture.
    static func consecutive(_ plans: [BlockPlan]) -> [BlockPlan] {
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

    /// The slot of each coefficient within a block's values: 32 entries for `quarter`, then 32 for `half`.
    static let slots: [UInt8] = [LowFrequencyCoefficients.Reduction.quarter, .half].flatMap { reduction in
        let slots = reduction.slots.map(UInt8.init)
        return slots + repeatElement(0, count: 32 - slots.count)
    }

    private static func firstSlot(_ reduction: LowFrequencyCoefficients.Reduction) -> Int {
        reduction == .half ? 32 : 0
    }

    @inline(__always)
    func place(_ column: Int, _ row: Int) -> Int { start &+ row &* rowStep &+ column &* step }
}
