package import Media

/// Resamples pixels in floating point.
///
/// Colours are weighted by alpha and later divided by it, so that the hidden colour of a transparent pixel does not
/// show at edges.
package struct FloatResampling: SeparableResampling, Sendable {
    private let samples: Samples
    private let size: PixelSize
    private let channelCount: Int
    private let hasAlpha: Bool
    private let across: Weights
    private let down: Weights

    /// The old samples; alpha, if present, is the last channel.
    enum Samples: Sendable {
        /// Planes of one grid.
        case planes([Plane])
        /// Pixels of several channels, rows from the top without gaps; with alpha they have four.
        case interleaved([UInt8])
    }

    /// - Parameter size: the size of the old samples.
    init(
        _ samples: Samples, size: PixelSize, channelCount: Int, hasAlpha: Bool, across: Weights, down: Weights
    ) {
        (self.samples, self.size, self.channelCount, self.hasAlpha) = (samples, size, channelCount, hasAlpha)
        (self.across, self.down) = (across, down)
    }

    /// The new pixels: `channelCount` bytes each, rows from the top without gaps.
    func pixels(threadCount: Int) -> [UInt8] {
        result(rowCount: down.runs.count, rowLength: across.runs.count * channelCount, threadCount: threadCount)
    }

    /// A pixel is read as four channels, so the last pixel may reach three samples past the row. Sums of planes are
    /// formed after that, plane by plane.
    var lineLength: Int { pixelsLength + (isPlanar ? size.width * channelCount : 0) }
    static var noSum: Float { 0 }

    private var pixelsLength: Int { size.width * channelCount + 3 }

    private var isPlanar: Bool {
        if case .planes = samples { true } else { false }
    }

    func sumRows(for row: Int, into line: UnsafeMutableBufferPointer<Float>) {
        line.update(repeating: 0)
        let run = down.runs[row]
        for (offset, place) in run.places.enumerated() where down.values[place] != 0 {
            let weight = down.values[place]
            switch samples {
            case .planes(let planes): add(planes, row: run.first + offset, weight, to: line)
            case .interleaved(let bytes): add(bytes, row: run.first + offset, weight, to: line)
            }
        }
        if isPlanar { interleave(line) }
    }

    private func add(
        _ planes: [Plane], row: Int, _ weight: Float, to line: UnsafeMutableBufferPointer<Float>
    ) {
        let sums = line.baseAddress! + pixelsLength
        let colourCount = hasAlpha ? channelCount - 1 : channelCount
        let alpha = planes[channelCount - 1]
        alpha.bytes.withUnsafeBufferPointer { opacities in
            // `Weights` keeps every run inside the plane.
            let opacity = opacities.baseAddress! + row * alpha.rowLength
            for (channel, plane) in planes.enumerated() {
                let sum = sums + size.width * channel
                plane.bytes.withUnsafeBufferPointer { samples in
                    let sample = samples.baseAddress! + row * plane.rowLength
                    if hasAlpha, channel < colourCount {
                        for x in 0..<size.width { sum[x] += weight * Float(opacity[x]) * Float(sample[x]) }
                    } else {
                        for x in 0..<size.width { sum[x] += weight * Float(sample[x]) }
                    }
                }
            }
        }
    }

    private func interleave(_ line: UnsafeMutableBufferPointer<Float>) {
        let (pixels, sums) = (line.baseAddress!, line.baseAddress! + pixelsLength)
        for channel in 0..<channelCount {
            for x in 0..<size.width { pixels[x &* channelCount &+ channel] = sums[size.width &* channel &+ x] }
        }
    }

    private func add(_ bytes: [UInt8], row: Int, _ weight: Float, to line: UnsafeMutableBufferPointer<Float>) {
        let length = size.width * channelCount
        bytes.withUnsafeBufferPointer { bytes in
            let source = UnsafeBufferPointer(rebasing: bytes[row * length..<(row + 1) * length])
            guard hasAlpha else {
                for index in 0..<length { line[index] += weight * Float(source[index]) }
                return
            }
            precondition(channelCount == 4, "interleaved pixels with alpha have four channels")
            let (pixels, sums) = (UnsafeRawPointer(source.baseAddress!), UnsafeMutableRawPointer(line.baseAddress!))
            for x in 0..<size.width {
                var pixel = SIMD4<Float>(pixels.loadUnaligned(fromByteOffset: x &* 4, as: SIMD4<UInt8>.self))
                let visible = weight * pixel.w
                pixel.w = 1
                let sum = sums.loadUnaligned(fromByteOffset: x &* 16, as: SIMD4<Float>.self) + visible * pixel
                sums.storeBytes(of: sum, toByteOffset: x &* 16, as: SIMD4<Float>.self)
            }
        }
    }

    func sumColumns(of line: UnsafeMutableBufferPointer<Float>, into target: UnsafeMutableBufferPointer<UInt8>) {
        let (sums, step) = (UnsafeRawPointer(line.baseAddress!), channelCount &* MemoryLayout<Float>.stride)
        across.values.withUnsafeBufferPointer { weights in
            for (x, run) in across.runs.enumerated() {
                var sum = SIMD4<Float>.zero
                var offset = run.first &* step
                for place in run.places {
                    sum += weights[place] * sums.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                    offset &+= step
                }
                let levels = Self.levels(hasAlpha ? uncovered(sum) : sum)
                for channel in 0..<channelCount { target[x &* channelCount &+ channel] = levels[channel] }
            }
        }
    }

    /// Divides colours by alpha, the last channel.
    private func uncovered(_ sum: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = sum[channelCount - 1]
        // Less than half a level rounds to zero, which has no colour.
        var pixel = alpha >= 0.5 ? sum / alpha : .zero
        pixel[channelCount - 1] = alpha
        return pixel
    }

    @inline(__always)
    private static func levels(_ sums: SIMD4<Float>) -> SIMD4<UInt8> {
        // `clamped` compiles to a call for every four samples.
        var kept = sums
        kept.replace(with: 0, where: kept .< 0)
        kept.replace(with: 255, where: kept .> 255)
        return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(kept + 0.5))
    }
}

extension FloatResampling {
    /// Pixels in another size.
    ///
    /// - Parameters:
    ///   - pixels: 3 or 4 bytes each, of which the fourth is alpha; rows from the top without gaps.
    ///   - kernel: the kernel for directions in which the picture shrinks.
    package static func resized(
        _ pixels: [UInt8], _ size: PixelSize, channelCount: Int, to newSize: PixelSize, by kernel: ResamplingKernel
    ) -> [UInt8] {
        let across = Weights(
            kernel, from: size.width, extent: Double(size.width), to: newSize.width, keeping: 0..<newSize.width)
        let down = Weights(
            kernel, from: size.height, extent: Double(size.height), to: newSize.height, keeping: 0..<newSize.height)
        return FloatResampling(
            .interleaved(pixels), size: size, channelCount: channelCount, hasAlpha: channelCount == 4, across: across,
            down: down
        ).pixels(threadCount: 1)
    }
}
