package import Media

/// A raster in another size.
///
/// Colours are weighted with alpha, so that what an invisible pixel happens to hold does not bleed into its neighbours.
package struct Resampler {
    private let across: Taps
    private let down: Taps
    private let old: Raster
    private let size: PixelSize

    package static func resized(_ raster: Raster, to size: PixelSize) -> Raster {
        raster.size == size ? raster : Resampler(raster, size).result()
    }

    private init(_ raster: Raster, _ size: PixelSize) {
        old = raster
        self.size = size
        across = Taps(from: raster.size.width, to: size.width)
        down = Taps(from: raster.size.height, to: size.height)
    }

    private func result() -> Raster {
        let bytes = [UInt8](unsafeUninitializedCapacity: size.pixelCount * old.channels) { bytes, count in
            // One row of the old width: old rows are first added up, then narrowed.
            withUnsafeTemporaryAllocation(of: Float.self, capacity: old.size.width * old.channels) { line in
                for row in 0..<size.height {
                    sumRows(for: row, into: line)
                    let start = row * size.width * old.channels
                    let target = UnsafeMutableBufferPointer(rebasing: bytes[start..<start + size.width * old.channels])
                    if old.channels == 3 { narrow(line, to: target) } else { narrowWeighted(line, to: target) }
                }
            }
            count = bytes.count
        }
        return Raster(size: size, channels: old.channels, bytes: bytes)
    }

    private func sumRows(for row: Int, into line: UnsafeMutableBufferPointer<Float>) {
        line.initialize(repeating: 0)
        old.bytes.withUnsafeBufferPointer { bytes in
            for tap in 0..<down.length {
                let weight = down.weights[row * down.length + tap]
                if weight == 0 { continue }
                let start = (down.first[row] + tap) * line.count
                let source = UnsafeBufferPointer(rebasing: bytes[start..<start + line.count])
                if old.channels == 3 { add(source, weight, to: line) } else { addWeighted(source, weight, to: line) }
            }
        }
    }

    private func add(_ source: UnsafeBufferPointer<UInt8>, _ weight: Float, to line: UnsafeMutableBufferPointer<Float>)
    {
        for index in 0..<line.count { line[index] += weight * Float(source[index]) }
    }

    private func addWeighted(
        _ source: UnsafeBufferPointer<UInt8>, _ weight: Float, to line: UnsafeMutableBufferPointer<Float>
    ) {
        for place in stride(from: 0, to: line.count, by: 4) {
            let visible = weight * Float(source[place + 3])
            for channel in 0..<3 { line[place + channel] += visible * Float(source[place + channel]) }
            line[place + 3] += visible
        }
    }

    private func narrow(_ line: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableBufferPointer<UInt8>) {
        across.weights.withUnsafeBufferPointer { weights in
            for x in 0..<size.width {
                var sum = SIMD4<Float>.zero
                var place = across.first[x] * 3
                for tap in x * across.length..<(x + 1) * across.length {
                    sum += weights[tap] * SIMD4(line[place], line[place + 1], line[place + 2], 0)
                    place += 3
                }
                let rounded = Self.rounded(sum)
                for channel in 0..<3 { target[x * 3 + channel] = rounded[channel] }
            }
        }
    }

    private func narrowWeighted(_ line: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableBufferPointer<UInt8>)
    {
        for x in 0..<size.width {
            var sum = SIMD4<Float>.zero
            for tap in 0..<across.length {
                let place = (across.first[x] + tap) * 4
                let colour = SIMD4(line[place], line[place + 1], line[place + 2], line[place + 3])
                sum += across.weights[x * across.length + tap] * colour
            }
            let alpha = sum.w
            let rounded = Self.rounded(alpha > 0.5 ? sum / alpha : .zero)
            for channel in 0..<3 { target[x * 4 + channel] = rounded[channel] }
            target[x * 4 + 3] = Self.rounded(SIMD4(repeating: alpha)).x
        }
    }

    private static func rounded(_ value: SIMD4<Float>) -> SIMD4<UInt8> {
        SIMD4<UInt8>(
            truncatingIfNeeded: SIMD4<Int32>(value.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)) + 0.5))
    }
}
