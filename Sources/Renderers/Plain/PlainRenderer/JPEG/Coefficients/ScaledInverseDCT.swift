/// The scaled inverse DCT: converts a block's lowest frequencies to 1, 2 × 2 or 4 × 4 samples.
///
/// Both transforms count as orthonormal. The coefficients of 8 × 8 samples are then four times the coefficients of 2 ×
/// 2 samples, and twice those of 4 × 4. The inverse transform of the lowest coefficients is the block at the reduced
/// size.
struct ScaledInverseDCT: Sendable {
    let reduction: LowFrequencyCoefficients.Reduction
    /// Blocks in a row.
    private let across: Int
    /// The quantization step of each kept coefficient of a block.
    private let steps: [Int32]

    /// - Parameter steps: the component's quantization table in zigzag order.
    init(_ grid: LowFrequencyCoefficients.Grid, steps: [UInt16]) {
        (reduction, across) = (grid.reduction, grid.across)
        var kept = [Int32](repeating: 0, count: grid.reduction.count)
        for (index, slot) in grid.reduction.slots.enumerated() { kept[slot] = Int32(steps[index]) }
        self.steps = kept
    }

    /// The number of samples in a row.
    var rowLength: Int { across * reduction.side }

    /// Writes a row of blocks.
    ///
    /// - Parameters:
    ///   - blocks: `reduction.count` values for each.
    ///   - target: `reduction.side` rows of samples.
    func write(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        switch reduction {
        case .eighth: writeEighth(blocks, to: target)
        case .quarter: writeQuarter(blocks, to: target)
        case .half: writeHalf(blocks, to: target)
        }
    }

    private func writeEighth(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        let step = steps[0]
        // From sixteenths around 0 to a level around 128.
        for x in 0..<across { target[x] = UInt8(clamping: (Int32(blocks[x]) &* step &+ 8) &>> 4 &+ 128) }
    }

    private func writeQuarter(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        let steps = SIMD4(self.steps[0..<4])
        let (raw, length) = (UnsafeRawPointer(blocks), reduction.count * MemoryLayout<Int16>.stride)
        for x in 0..<across {
            let kept = raw.loadUnaligned(fromByteOffset: x &* length, as: SIMD4<Int16>.self)
            let block = SIMD4<Int32>(truncatingIfNeeded: kept) &* steps
            // The sums and differences of the vertical transform, then of the horizontal transform.
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

    private func writeHalf(_ blocks: UnsafePointer<Int16>, to target: UnsafeMutablePointer<UInt8>) {
        // Half of the coefficients, which are stored in halves: a quarter of each step.
        let steps = Square(self.steps.prefix(16).map { Float($0) / 4 })
        // The inverse transform scales DC by ½ in each direction.
        let mean = steps.a.x / 4
        let (rowLength, length) = (across &* 4, reduction.count)
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

/// A block of 4 × 4 numbers, row by row.
private struct Square {
    var a: SIMD4<Float>
    var b: SIMD4<Float>
    var c: SIMD4<Float>
    var d: SIMD4<Float>

    /// - Parameter numbers: sixteen numbers, row by row.
    init(_ numbers: [Float]) {
        a = SIMD4(numbers[0..<4])
        b = SIMD4(numbers[4..<8])
        c = SIMD4(numbers[8..<12])
        d = SIMD4(numbers[12..<16])
    }

    /// - Parameter numbers: sixteen two-byte numbers, row by row.
    @inline(__always)
    init(_ numbers: UnsafeRawPointer) {
        let upper = numbers.loadUnaligned(as: SIMD8<Int16>.self)
        let lower = numbers.loadUnaligned(fromByteOffset: 16, as: SIMD8<Int16>.self)
        a = SIMD4<Float>(upper.lowHalf)
        b = SIMD4<Float>(upper.highHalf)
        c = SIMD4<Float>(lower.lowHalf)
        d = SIMD4<Float>(lower.highHalf)
    }

    /// Whether all coefficients except DC are zero, as in blank paper.
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

    /// The inverse transform of each column.
    @inline(__always)
    var transformed: Square {
        // cos(π/8) / √2 and cos(3π/8) / √2; the factor of the even frequencies is ½.
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

    /// Levels around 0 as bytes around 128.
    @inline(__always)
    static func bytes(_ samples: SIMD4<Float>) -> SIMD4<UInt8> {
        // `clamped` compiles to a call for every four samples.
        var kept = samples + 128
        kept.replace(with: 0, where: kept .< 0)
        kept.replace(with: 255, where: kept .> 255)
        // Adding 2²³ rounds a number and leaves its integer in the lowest bits.
        return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(kept + 8_388_608, to: SIMD4<UInt32>.self))
    }
}
