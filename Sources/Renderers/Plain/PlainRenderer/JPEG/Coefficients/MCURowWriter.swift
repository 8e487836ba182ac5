internal import Rendering

/// Writes rows of MCUs as samples into the picture's planes.
struct MCURowWriter: Sendable {
    /// The layout of the coefficients to write: one row of MCUs, or the whole picture.
    let grids: [LowFrequencyCoefficients.Grid]
    private let samples: [ScaledInverseDCT]
    /// For each component, the number of block rows in a row of MCUs.
    private let blockRows: [Int]
    /// One plane for each component. They outlive this value, and threads write different rows.
    nonisolated(unsafe) private let planes: [UnsafeMutableBufferPointer<UInt8>]

    /// - Throws: if a quantization table is missing.
    init(
        _ grids: [LowFrequencyCoefficients.Grid], of frame: JPEGFrame, _ tables: JPEGTables,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) {
        self.grids = grids
        self.planes = planes
        blockRows = frame.components.map(\.down)
        var samples: [ScaledInverseDCT] = []
        for (component, grid) in zip(frame.components, grids) {
            guard let steps = tables.quantization[component.table] else {
                throw Declined("a quantization table is missing")
            }
            samples.append(ScaledInverseDCT(grid, steps: steps))
        }
        self.samples = samples
    }

    /// Writes one row of MCUs, and zeroes its coefficients for the next row.
    func write(_ values: inout [Int16], toRow row: Int) {
        values.withUnsafeMutableBufferPointer { values in
            write(UnsafeBufferPointer(values), row: 0, toRow: row)
            values.update(repeating: 0)
        }
    }

    /// Writes all rows of MCUs.
    func write(_ coefficients: LowFrequencyCoefficients, rowCount: Int, threadCount: Int) {
        let values = coefficients.values
        RowBands.forEach(of: rowCount, threadCount: threadCount) { rows in
            values.withUnsafeBufferPointer { values in
                for row in rows { write(values, row: row, toRow: row) }
            }
        }
    }

    private func write(_ values: UnsafeBufferPointer<Int16>, row source: Int, toRow row: Int) {
        for (index, samples) in samples.enumerated() {
            let (grid, count) = (grids[index], blockRows[index])
            let (blockLength, bandLength) = (
                samples.reduction.count * grid.across, samples.reduction.side * samples.rowLength
            )
            let (first, last) = (source * count, row * count + count - 1)
            precondition(
                grid.start + (first + count) * blockLength <= values.count
                    && (last + 1) * bandLength <= planes[index].count, "the row is in its planes")
            for block in 0..<count {
                samples.write(
                    values.baseAddress! + grid.start + (first + block) * blockLength,
                    to: planes[index].baseAddress! + (row * count + block) * bandLength)
            }
        }
    }
}
