internal import Resampling

/// Where a picture's samples go, component by component, as rows of an interleaved scan's units become known.
struct SampleRows: Sendable {
    /// Of the numbers that are written from: of a row of units, or of all.
    let grids: [LowCoefficients.Grid]
    private let samples: [BlockSamples]
    /// How many rows of blocks of each component there are in a row of units.
    private let blockRows: [Int]
    /// A plane for each component; they outlive this.
    nonisolated(unsafe) private let planes: [UnsafeMutableBufferPointer<UInt8>]

    /// - Throws: where a quantization table is missing.
    init(
        _ grids: [LowCoefficients.Grid], of frame: Frame, _ tables: CodingTables,
        into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Declined) {
        self.grids = grids
        self.planes = planes
        blockRows = frame.components.map(\.down)
        var samples: [BlockSamples] = []
        for (component, grid) in zip(frame.components, grids) {
            guard let steps = tables.quantization[component.table] else {
                throw Declined("a quantization table is missing")
            }
            samples.append(BlockSamples(grid, steps: steps))
        }
        self.samples = samples
    }

    /// Writes one row of units, and makes its numbers zero for the next one.
    func write(_ values: inout [Int16], toRow row: Int) {
        values.withUnsafeMutableBufferPointer { values in
            write(UnsafeBufferPointer(values), row: 0, toRow: row)
            values.update(repeating: 0)
        }
    }

    /// Writes all rows of units.
    func write(_ coefficients: LowCoefficients, rowCount: Int, threadCount: Int) {
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
                samples.detail.count * grid.across, samples.detail.side * samples.rowLength
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
