/// What is the same for every block at one place of a scan's unit.
struct BlockPlan {
    /// Which of the scan's components.
    let component: Int
    /// Whether four coefficients are kept of it, or its mean alone.
    let keepsQuarters: Bool
    /// Where in `LowCoefficients.values` the first unit's block goes, and how far the next unit's and the next row's are
    /// from it.
    private let start: Int
    private let step: Int
    private let rowStep: Int

    /// - Parameter grids: of the scan's components.
    static func plans(of layout: ScanLayout, _ grids: [LowCoefficients.Grid]) -> [BlockPlan] {
        layout.blocks.map { block in
            let grid = grids[block.component]
            let size = grid.detail.rawValue
            let step = layout.steps[block.component]
            return BlockPlan(
                component: block.component, keepsQuarters: grid.detail == .quarters,
                start: grid.start + (block.y * grid.across + block.x) * size, step: step.across * size,
                rowStep: step.down * grid.across * size)
        }
    }

    @inline(__always)
    func place(_ column: Int, _ row: Int) -> Int { start &+ row &* rowStep &+ column &* step }
}
