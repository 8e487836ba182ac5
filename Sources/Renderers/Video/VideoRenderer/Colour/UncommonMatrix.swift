internal import CFFmpeg
internal import Media

/// Red, green and blue out of the matrices that libswscale lacks.
package struct UncommonMatrix {
    private let colour: FrameColour
    /// The largest code value, as libswscale moves it up to 16 bits.
    private let top: Double
    private let cones: ICtCpMatrix?

    /// - Parameter depth: bits of the frame's own code values.
    package init(_ colour: FrameColour, depth: Int) {
        self.colour = colour
        top = Double(((1 << depth) - 1) << (16 - depth))
        cones = colour.matrix == .ictcp ? ICtCpMatrix(colour.transfer) : nil
    }

    /// - Parameters:
    ///   - planes: brightness, blue and red differences (YCgCo: green and orange ones; ICtCp: yellow
    ///     with blue, and red with green), as many of each, 16 bits.
    ///   - signal: red, green and blue of each pixel, 16 bits, full range.
    package func convert(_ planes: UnsafeBufferPointer<UInt16>, to signal: UnsafeMutableBufferPointer<UInt16>) {
        precondition(planes.count == signal.count, "three planes, three channels")
        let count = planes.count / 3
        for pixel in 0..<count {
            let rgb = self.signal(
                brightness: brightness(planes[pixel]), first: difference(planes[count + pixel]),
                second: difference(planes[2 * count + pixel]))
            for channel in 0..<3 {
                signal[pixel * 3 + channel] = UInt16((min(max(rgb[channel], 0), 1) * 65_535).rounded())
            }
        }
    }

    /// 0...1 (ITU-T H.273, 8.3: 219 steps above 16, or all).
    private func brightness(_ code: UInt16) -> Double {
        colour.isFullRange ? Double(code) / top : (Double(code) / 256 - 16) / 219
    }

    /// −½...½.
    private func difference(_ code: UInt16) -> Double {
        (Double(code) / 256 - 128) / (colour.isFullRange ? top / 256 : 224)
    }

    private func signal(brightness: Double, first: Double, second: Double) -> SIMD3<Double> {
        if let cones { return cones.signal(intensity: brightness, tritan: first, protan: second) }
        if colour.matrix == .ycgco {
            let rest = brightness - first
            return SIMD3(rest + second, brightness + first, rest - second)
        }
        // ITU-R BT.2020-2, table 4: the two colour differences have a scale for each sign.
        let blue = brightness + first * (first <= 0 ? 1.9404 : 1.5816)
        let red = brightness + second * (second <= 0 ? 1.7184 : 0.9936)
        let light = TransferCurve.bt709Light(brightness)
        let green =
            (light - 0.2627 * TransferCurve.bt709Light(red) - 0.0593 * TransferCurve.bt709Light(blue)) / 0.6780
        return SIMD3(red, TransferCurve.bt709Signal(max(0, green)), blue)
    }
}
