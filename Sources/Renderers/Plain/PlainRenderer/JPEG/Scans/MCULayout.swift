internal import Media

/// The order of a scan's blocks, and the MCUs that group them (ITU-T T.81, clause A.2).
struct MCULayout {
    /// MCUs in a row of the scan.
    let across: Int
    /// Rows of MCUs.
    let down: Int
    /// An MCU's blocks: for each its component within the scan, and its column and row within the MCU.
    let blocks: [(component: Int, x: Int, y: Int)]
    /// For each component of the scan, the width and height of an MCU in blocks.
    let steps: [(across: Int, down: Int)]

    init(_ scan: ScanHeader, of frame: JPEGFrame) throws(Declined) {
        let parts = scan.components.map { frame.components[$0.index] }
        if parts.count == 1 {
            // Not interleaved: an MCU is one block, and only blocks with samples of the picture are coded (clause
            // A.2.2).
            across = (MCULayout.ceiling(frame.size.width * parts[0].across, frame.across) + 7) / 8
            down = (MCULayout.ceiling(frame.size.height * parts[0].down, frame.down) + 7) / 8
            steps = [(1, 1)]
            blocks = [(0, 0, 0)]
            return
        }
        across = frame.mcusAcross
        down = frame.mcusDown
        steps = parts.map { ($0.across, $0.down) }
        blocks = parts.indices.flatMap { component in
            (0..<parts[component].down).flatMap { y in (0..<parts[component].across).map { (component, $0, y) } }
        }
        // Clause B.2.3.
        guard blocks.count <= 10 else { throw Declined("\(blocks.count) blocks an MCU") }
    }

    private static func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }
}
