/// Resamples a plane: first down, over whole rows, then across.
struct PlaneResizer: Sendable {
    private let plane: Plane
    private let across: Weights
    private let down: Weights

    init(_ plane: Plane, _ across: Weights, _ down: Weights) {
        self.plane = plane
        self.across = across
        self.down = down
    }

    /// A row for every run of `down`, a sample for every run of `across`.
    func result(threadCount: Int) -> [UInt8] {
        if across.length == 1, down.length == 1 { return part() }
        let (width, height) = (across.first.count, down.first.count)
        return [UInt8](unsafeUninitializedCapacity: width * height) { target, written in
            // Each thread writes rows of its own.
            nonisolated(unsafe) let target = target
            RowBands.forEach(of: height, threadCount: threadCount) { rows in
                // Runs are padded to a multiple of four, so the last may read three samples behind the row.
                withUnsafeTemporaryAllocation(of: Float.self, capacity: plane.width + 4) { line in
                    line.initialize(repeating: 0)
                    for row in rows {
                        sumRows(for: row, into: line)
                        narrow(line, to: UnsafeMutableBufferPointer(rebasing: target[row * width..<(row + 1) * width]))
                    }
                }
            }
            written = width * height
        }
    }

    /// What is left of a plane that keeps its resolution.
    private func part() -> [UInt8] {
        down.first.flatMap { y in
            let start = y * plane.rowLength + across.first[0]
            return plane.bytes[start..<start + across.first.count]
        }
    }

    private func sumRows(for row: Int, into line: UnsafeMutableBufferPointer<Float>) {
        plane.bytes.withUnsafeBufferPointer { bytes in
            // `Weights` keeps every run inside the plane, apart from padding, whose weights are zero.
            func old(_ tap: Int) -> UnsafePointer<UInt8> {
                bytes.baseAddress! + min(down.first[row] + tap, plane.height - 1) * plane.rowLength
            }
            func weight(_ tap: Int) -> Float { down.values[row * down.length + tap] }
            let sums = line.baseAddress!
            if down.length == 1 { return Self.convert(old(0), plane.width, to: sums) }
            for tap in stride(from: 0, to: down.length, by: 4) {
                Self.add(
                    (old(tap), old(tap + 1), old(tap + 2), old(tap + 3)),
                    SIMD4(weight(tap), weight(tap + 1), weight(tap + 2), weight(tap + 3)), plane.width, tap == 0,
                    to: sums)
            }
        }
    }

    private static func convert(_ row: UnsafePointer<UInt8>, _ count: Int, to sums: UnsafeMutablePointer<Float>) {
        for index in 0..<count { sums[index] = Float(row[index]) }
    }

    /// Four rows at once, so that the sums are loaded and stored a quarter as often.
    private static func add(
        _ rows: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>),
        _ weights: SIMD4<Float>, _ count: Int, _ isFirst: Bool, to sums: UnsafeMutablePointer<Float>
    ) {
        let (a, b, c, d) = (weights.x, weights.y, weights.z, weights.w)
        if isFirst {
            for index in 0..<count {
                sums[index] =
                    a * Float(rows.0[index]) + b * Float(rows.1[index]) + c * Float(rows.2[index])
                    + d * Float(rows.3[index])
            }
        } else {
            for index in 0..<count {
                sums[index] +=
                    a * Float(rows.0[index]) + b * Float(rows.1[index]) + c * Float(rows.2[index])
                    + d * Float(rows.3[index])
            }
        }
    }

    private func narrow(_ line: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableBufferPointer<UInt8>) {
        let samples = UnsafeRawPointer(line.baseAddress!)
        across.values.withUnsafeBytes { weights in
            for x in 0..<target.count {
                // A run ends within the row or in the four samples behind it.
                let start = samples + across.first[x] * MemoryLayout<Float>.stride
                if across.length == 1 {
                    target[x] = Self.byte(start.load(as: Float.self))
                    continue
                }
                var sum = SIMD4<Float>.zero
                for tap in stride(from: 0, to: across.length * 4, by: 16) {
                    // Not `addProduct`: without FMA in the processor's baseline it is a call for every lane.
                    sum +=
                        start.loadUnaligned(fromByteOffset: tap, as: SIMD4<Float>.self)
                        * weights.loadUnaligned(fromByteOffset: x * across.length * 4 + tap, as: SIMD4<Float>.self)
                }
                target[x] = Self.byte(sum.sum())
            }
        }
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
}
