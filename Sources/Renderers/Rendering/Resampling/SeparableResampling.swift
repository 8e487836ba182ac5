/// A way to resample a picture row by row: it first sums old rows into a line, and then sums the line's columns.
///
/// Three arithmetics coexist, since their levels differ by one or two:
///
/// | arithmetic | weights | used for |
/// |---|---|---|
/// | `FixedPointResampling` | kernel, 16 bits | opaque planes (JPEG, PNG, libvips); 0.7 of the time of floating point |
/// | `FloatResampling` | kernel, floating point | pixels with alpha, by which sums are divided; pixels of video |
/// | `AreaAveraging` | shares of coverage | pages, whose thin lines and letters no kernel may ring around or miss |
protocol SeparableResampling {
    /// A sum over rows.
    associatedtype RowSum: BitwiseCopyable

    /// The number of sums in a line, including the padding that column runs may read.
    var lineLength: Int { get }
    /// The initial value of a line's sums.
    static var noSum: RowSum { get }

    /// Sums the old rows of a new row's run.
    func sumRows(for row: Int, into line: UnsafeMutableBufferPointer<RowSum>)

    /// Sums the columns of each new sample's run.
    ///
    /// - Parameter target: the new row.
    func sumColumns(of line: UnsafeMutableBufferPointer<RowSum>, into target: UnsafeMutableBufferPointer<UInt8>)
}

extension SeparableResampling {
    /// Writes new rows, one after another.
    ///
    /// - Parameters:
    ///   - rowLength: the bytes of a new row.
    ///   - target: all new rows, without gaps.
    func write(_ rows: Range<Int>, rowLength: Int, to target: UnsafeMutablePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: RowSum.self, capacity: lineLength) { line in
            line.initialize(repeating: Self.noSum)
            for row in rows {
                sumRows(for: row, into: line)
                sumColumns(
                    of: line, into: UnsafeMutableBufferPointer(start: target + row * rowLength, count: rowLength))
            }
        }
    }
}

extension SeparableResampling where Self: Sendable {
    /// All new rows without gaps.
    ///
    /// - Parameters:
    ///   - rowLength: the bytes of a new row.
    ///   - threadCount: how many threads may work on them.
    func result(rowCount: Int, rowLength: Int, threadCount: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rowCount * rowLength) { target, written in
            // Each thread writes its own rows.
            nonisolated(unsafe) let start = target.baseAddress!
            RowBands.forEach(of: rowCount, threadCount: threadCount) { rows in
                write(rows, rowLength: rowLength, to: start)
            }
            written = rowCount * rowLength
        }
    }
}
