internal import Glibc

/// Pixels of high dynamic range as an ordinary screen shows them.
///
/// 1. Signal to light: PQ by its EOTF; HLG by its inverse OETF and the OOTF of a screen of 1,000 cd/m² (γ = 1.2, ITU-R
///    BT.2100-2, table 5).
/// 2. From the picture's own brightest pixels down to 203 cd/m², the white of ITU-R BT.2408, by `ToneCurve`. It is applied
///    to the largest of red, green and blue, and to the others in proportion, which keeps hues.
/// 3. BT.2020's primaries to BT.709's (the inverse of ITU-R BT.2087's matrix); what lies outside is cut off.
/// 4. Light to signal by sRGB's curve.
package struct HighDynamicRange {
    private let light: [Float]
    private let isHLG: Bool
    private let hasWidePrimaries: Bool

    /// Where the source's white goes, in cd/m².
    private static let white: Float = 203
    /// The brightest light that can be told, in cd/m²: PQ's.
    private static let brightest: Float = 10_000

    package init(_ colour: FrameColour) {
        let isHLG = colour.transfer == .hlg
        self.isHLG = isHLG
        hasWidePrimaries = colour.hasWidePrimaries || colour.matrix == .bt2020
        light = (0..<4096).map { step in
            let signal = Double(step) / 4095
            return Float(isHLG ? TransferCurve.hlgScene(signal) : TransferCurve.pqLight(signal))
        }
    }

    /// - Parameters:
    ///   - signal: red, green and blue of each pixel, 16 bits each, full range.
    ///   - bytes: as many, 8 bits each.
    package func map(_ signal: UnsafeBufferPointer<UInt16>, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        precondition(signal.count == bytes.count, "a byte for every number")
        let gains = Self.gains(from: brightestLight(of: signal))
        light.withUnsafeBufferPointer { light in
            Self.signals.withUnsafeBufferPointer { signals in
                for place in stride(from: 0, to: signal.count - 2, by: 3) {
                    var pixel = displayed(signal, place, light)
                    pixel *= gains[Self.index(pixel.max() / Self.brightest)] / Self.white
                    if hasWidePrimaries { pixel = Self.narrowed(pixel) }
                    for channel in 0..<3 { bytes[place + channel] = signals[Self.index(pixel[channel])] }
                }
            }
        }
    }

    /// A pixel's light on the screen that it was made for, in cd/m².
    private func displayed(
        _ signal: UnsafeBufferPointer<UInt16>, _ place: Int, _ light: UnsafeBufferPointer<Float>
    ) -> SIMD3<Float> {
        let scene = SIMD3(
            light[Int(signal[place] >> 4)], light[Int(signal[place + 1] >> 4)], light[Int(signal[place + 2] >> 4)])
        guard isHLG else { return scene }
        let brightness = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return scene * (1000 * powf(max(brightness, 1e-6), 0.2))
    }

    /// The light that only one pixel in a thousand exceeds: a few sparks shall not darken all the rest.
    private func brightestLight(of signal: UnsafeBufferPointer<UInt16>) -> Double {
        var counts = [Int](repeating: 0, count: Self.stepCount)
        light.withUnsafeBufferPointer { light in
            for place in stride(from: 0, to: signal.count - 2, by: 3) {
                counts[Self.index(displayed(signal, place, light).max() / Self.brightest)] += 1
            }
        }
        var above = signal.count / 3 / 1000
        let step = counts.indices.last { step in
            above -= counts[step]
            return above < 0
        }
        let root = Double(step ?? 0) / Double(Self.stepCount - 1)
        return root * root * Double(Self.brightest)
    }
}

extension HighDynamicRange {
    private static let stepCount = 4096

    /// The place of a light of 0...1 in a table whose steps are even in its square root, as eyes roughly see them.
    private static func index(_ light: Float) -> Int {
        Int((min(max(light, 0), 1).squareRoot() * Float(stepCount - 1)).rounded())
    }

    private static func light(at index: Int) -> Double {
        let root = Double(index) / Double(stepCount - 1)
        return root * root
    }

    /// By how much each light is multiplied.
    private static func gains(from peak: Double) -> [Float] {
        let curve = ToneCurve(from: peak, to: Double(white))
        return (0..<stepCount).map { index in
            let light = light(at: index) * Double(brightest)
            return light == 0 ? 1 : Float(curve.mapped(light) / light)
        }
    }

    private static let signals: [UInt8] = (0..<stepCount).map {
        UInt8((TransferCurve.srgbSignal(light(at: $0)) * 255).rounded())
    }

    /// BT.2020's primaries to BT.709's, in light.
    private static func narrowed(_ pixel: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(
            (pixel * SIMD3(1.660491, -0.587641, -0.072850)).sum(),
            (pixel * SIMD3(-0.124550, 1.132900, -0.008349)).sum(),
            (pixel * SIMD3(-0.018151, -0.100579, 1.118730)).sum())
    }
}
