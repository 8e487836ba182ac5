internal import CFFmpeg
internal import Media

/// Converts to red, green and blue with the matrix coefficients that libswscale lacks: YCgCo, ICtCp, and BT.2020 with
/// constant luminance.
package struct UncommonMatrix {
    private let colour: FrameColour
    /// The largest code value as libswscale shifts it to 16 bits.
    private let top: Double
    private let ictcp: ICtCpMatrix?

    /// Prepares the conversion.
    ///
    /// - Parameters:
    ///   - colour: a colour with a matrix that libswscale lacks.
    ///   - depth: the bits of the frame's own code values.
    package init(_ colour: FrameColour, depth: Int) {
        self.colour = colour
        top = Double(((1 << depth) - 1) << (16 - depth))
        ictcp = colour.matrix == .ictcp ? ICtCpMatrix(colour.transfer) : nil
    }

    /// Converts planes of samples to interleaved pixels.
    ///
    /// - Parameters:
    ///   - planes: the planes of Y, Cb and Cr (or Y, Cg and Co, or I, Ct and Cp), one after another, 16 bits.
    ///   - signal: red, green and blue of each pixel, 16 bits, full range; as many samples as in `planes`.
    package func convert(_ planes: UnsafeBufferPointer<UInt16>, to signal: UnsafeMutableBufferPointer<UInt16>) {
        precondition(planes.count == signal.count, "three planes, three channels")
        let count = planes.count / 3
        for pixel in 0..<count {
            let rgb = self.signal(
                luma: luma(planes[pixel]), first: difference(planes[count + pixel]),
                second: difference(planes[2 * count + pixel]))
            for channel in 0..<3 {
                signal[pixel * 3 + channel] = UInt16((min(max(rgb[channel], 0), 1) * 65_535).rounded())
            }
        }
    }

    /// The luma of 0...1 (ITU-T H.273, 8.3: 219 steps above 16, or all).
    private func luma(_ code: UInt16) -> Double {
        colour.isFullRange ? Double(code) / top : (Double(code) / 256 - 16) / 219
    }

    /// A colour difference of −½...½.
    private func difference(_ code: UInt16) -> Double {
        (Double(code) / 256 - 128) / (colour.isFullRange ? top / 256 : 224)
    }

    private func signal(luma: Double, first: Double, second: Double) -> SIMD3<Double> {
        if let ictcp { return ictcp.signal(intensity: luma, tritan: first, protan: second) }
        if colour.matrix == .ycgco {
            let rest = luma - first
            return SIMD3(rest + second, luma + first, rest - second)
        }
        // ITU-R BT.2020-2, table 4: the scale of each colour difference depends on its sign.
        let blue = luma + first * (first <= 0 ? 1.9404 : 1.5816)
        let red = luma + second * (second <= 0 ? 1.7184 : 0.9936)
        let light = TransferCurve.bt709Light(luma)
        let green =
            (light - 0.2627 * TransferCurve.bt709Light(red) - 0.0593 * TransferCurve.bt709Light(blue)) / 0.6780
        return SIMD3(red, TransferCurve.bt709Signal(max(0, green)), blue)
    }
}
