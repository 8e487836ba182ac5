internal import Media

/// In which order a scan goes over blocks (ITU-T T.81, clause A.2).
struct ScanLayout {
    /// Units of the scan in a row and in a column.
    let across: Int
    let down: Int
    /// The blocks of a unit: of which of the scan's components, and where in the unit.
    let blocks: [(component: Int, x: Int, y: Int)]
    /// For each of the scan's components, how many blocks a unit is wide and high.
    let steps: [(across: Int, down: Int)]

    init(_ scan: ScanHeader, of frame: Frame) throws(Declined) {
        let parts = scan.components.map { frame.components[$0.index] }
        if parts.count == 1 {
            // A scan of one component goes over the blocks that the picture needs, one by one.
            across = (ScanLayout.ceiling(frame.size.width * parts[0].across, frame.across) + 7) / 8
            down = (ScanLayout.ceiling(frame.size.height * parts[0].down, frame.down) + 7) / 8
            steps = [(1, 1)]
            blocks = [(0, 0, 0)]
            return
        }
        across = frame.unitsAcross
        down = frame.unitsDown
        steps = parts.map { ($0.across, $0.down) }
        blocks = parts.indices.flatMap { component in
            (0..<parts[component].down).flatMap { y in (0..<parts[component].across).map { (component, $0, y) } }
        }
        guard blocks.count <= 10 else { throw Declined("\(blocks.count) blocks a unit") }
    }

    private static func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }
}

extension Frame {
    /// Units of an interleaved scan in a row and in a column.
    var unitsAcross: Int { (size.width + 8 * across - 1) / (8 * across) }
    var unitsDown: Int { (size.height + 8 * down - 1) / (8 * down) }
}
