/// Blocks' lowest coefficients as samples.
///
/// Coefficients and samples are those of orthonormal transforms: a block's 8 × 8 coefficients are four times those of the
/// 2 × 2 samples that it becomes, and twice those of 4 × 4. The lowest ones, transformed back, are the block at a reduced size.
struct BlockSamples: Sendable {
    let detail: LowCoefficients.Detail
    /// Blocks in a row.
    private let across: Int
    /// The quantization's step for each number that is kept of a block.
    private let steps: [Int32]

    /// - Parameter steps: the component's quantization table in zigzag order.
    init(_ grid: LowCoefficients.Grid, steps: [UInt16]) {
        (detail, across) = (grid.detail, grid.across)
        var kept = [Int32](repeating: 0, count: grid.detail.count)
        for (index, slot) in grid.detail.slots.enumerated() { kept[slot] = Int32(steps[index]) }
        self.steps = kept
    }

    /// Samples in a row.
    var rowLength: Int { across * detail.side }

    /// Writes a row of blocks.
    ///
    /// - Parameters:
    ///   - blocks: `detail.count` numbers for each.
    ///   - target: `detail.side` rows of samples.
    func write(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        switch detail {
        case .mean: writeMeans(blocks, to: target)
        case .quarters: writeQuarters(blocks, to: target)
        case .halves: writeHalves(blocks, to: target)
        }
    }

    private func writeMeans(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        let step = steps[0]
        // From sixteenths around zero to a sample around 128.
        for x in 0..<across { target[x] = UInt8(clamping: (Int32(blocks[x]) &* step &+ 8) &>> 4 &+ 128) }
    }

    private func writeQuarters(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        let steps = SIMD4(self.steps[0..<4])
        let (raw, length) = (UnsafeRawPointer(blocks), detail.count * MemoryLayout<Int16>.stride)
        for x in 0..<across {
            let kept = raw.loadUnaligned(fromByteOffset: x &* length, as: SIMD4<Int16>.self)
            let block = SIMD4<Int32>(truncatingIfNeeded: kept) &* steps
            // The mean and the frequency across, each with those down added and taken away.
            let (upper, lower) = (block.lowHalf &+ block.highHalf, block.lowHalf &- block.highHalf)
            let sums = SIMD4(upper.x &+ upper.y, upper.x &- upper.y, lower.x &+ lower.y, lower.x &- lower.y)
            let shifted = (sums &+ 8) &>> 4 &+ 128
            let (upperRow, lowerRow) = (target + x &* 2, target + (across &+ x) &* 2)
            upperRow[0] = UInt8(clamping: shifted.x)
            upperRow[1] = UInt8(clamping: shifted.y)
            lowerRow[0] = UInt8(clamping: shifted.z)
            lowerRow[1] = UInt8(clamping: shifted.w)
        }
    }

    private func writeHalves(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        // Twice those of 4 × 4, and stated in halves.
        let steps = Square(self.steps.prefix(16).map { Float($0) / 4 })
        // The transform of a mean alone is a quarter of it, both ways together.
        let mean = steps.a.x / 4
        let (rowLength, length) = (across &* 4, detail.count)
        for x in 0..<across {
            let numbers = UnsafeRawPointer(blocks + x &* length)
            let places = UnsafeMutableRawPointer(target + x &* 4)
            if Square.isFlat(numbers) {
                let sample = Square.bytes(SIMD4(repeating: Float(blocks[x &* length]) * mean))
                for row in 0..<4 {
                    places.storeBytes(of: sample, toByteOffset: row &* rowLength, as: SIMD4<UInt8>.self)
                }
                continue
            }
            let samples = Square(numbers).multiplied(by: steps).transformed.transposed.transformed.transposed
            places.storeBytes(of: Square.bytes(samples.a), as: SIMD4<UInt8>.self)
            places.storeBytes(of: Square.bytes(samples.b), toByteOffset: rowLength, as: SIMD4<UInt8>.self)
            places.storeBytes(of: Square.bytes(samples.c), toByteOffset: rowLength &* 2, as: SIMD4<UInt8>.self)
            places.storeBytes(of: Square.bytes(samples.d), toByteOffset: rowLength &* 3, as: SIMD4<UInt8>.self)
        }
    }
}

/// Four rows of four numbers.
private struct Square {
    var a: SIMD4<Float>
    var b: SIMD4<Float>
    var c: SIMD4<Float>
    var d: SIMD4<Float>

    /// - Parameter numbers: sixteen, row by row.
    init(_ numbers: [Float]) {
        a = SIMD4(numbers[0..<4])
        b = SIMD4(numbers[4..<8])
        c = SIMD4(numbers[8..<12])
        d = SIMD4(numbers[12..<16])
    }

    /// - Parameter numbers: sixteen of two bytes, row by row.
    @inline(__always)
    init(_ numbers: UnsafeRawPointer) {
        let upper = numbers.loadUnaligned(as: SIMD8<Int16>.self)
        let lower = numbers.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
        a = SIMD4<Float>(upper.lowHalf)
        b = SIMD4<Float>(upper.highHalf)
        c = SIMD4<Float>(lower.lowHalf)
        d = SIMD4<Float>(lower.highHalf)
    }

    /// Whether all sixteen are zero but the first, as on paper.
    @inline(__always)
    static func isFlat(_ numbers: UnsafeRawPointer) -> Bool {
        func four(_ place: Int) -> UInt64 {
            UInt64(littleEndian: numbers.loadUnaligned(fromByteOffset: place &* 8, as: UInt64.self))
        }
        return four(0) &>> 16 | four(1) | four(2) | four(3) == 0
    }

    @inline(__always)
    private init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inline(__always)
    func multiplied(by other: Square) -> Square { Square(a * other.a, b * other.b, c * other.c, d * other.d) }

    /// The inverse transform of each column: its numbers are the frequencies.
    @inline(__always)
    var transformed: Square {
        // cos(π/8) / √2 and cos(3π/8) / √2; the even frequencies' factors are ½.
        let (high, low): (Float, Float) = (0.653_281_5, 0.270_598_05)
        let (sum, difference) = (0.5 * (a + c), 0.5 * (a - c))
        let (outer, inner) = (high * b + low * d, low * b - high * d)
        return Square(sum + outer, difference + inner, difference - inner, sum - outer)
    }

    @inline(__always)
    var transposed: Square {
        Square(
            SIMD4(a[0], b[0], c[0], d[0]), SIMD4(a[1], b[1], c[1], d[1]), SIMD4(a[2], b[2], c[2], d[2]),
            SIMD4(a[3], b[3], c[3], d[3]))
    }

    /// Samples around zero as bytes around 128.
    @inline(__always)
    static func bytes(_ samples: SIMD4<Float>) -> SIMD4<UInt8> {
        // `clamped` is a call for every four.
        var kept = samples + 128
        kept.replace(with: 0, where: kept .< 0)
        kept.replace(with: 255, where: kept .> 255)
        // Added to 2²³, a number is rounded, and its lowest bits are the number.
        return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(kept + 8_388_608, to: SIMD4<UInt32>.self))
    }
}
