internal import Glibc

/// Maps pixels of high dynamic range or wide gamut to sRGB.
///
/// 1. Signal to light: PQ by its EOTF; HLG by its inverse OETF and the OOTF of a screen of 1,000 cd/m² (γ = 1.2, ITU-R
///    BT.2100-2, table 5); standard dynamic range by sRGB's curve, as browsers do, with white at 203 cd/m².
/// 2. Tone mapping to 203 cd/m², the white of ITU-R BT.2408, by `ToneCurve`: for PQ from the picture's own peak, for
///    HLG from the 1,000 cd/m² of its largest signal. The curve applies to the largest of red, green and blue; the
///    others scale in proportion, which keeps hues.
/// 3. The source's primaries to BT.709's primaries; colours outside their gamut are clipped.
/// 4. Light to signal by sRGB's curve.
package struct DisplayMapping {
    private let transfer: FrameColour.Transfer
    /// The light for each of 4,096 signals, in cd/m²; HLG's is scene light of 0...1.
    private let light: [Float]
    /// HLG's OOTF: the factor from scene light to screen light, by luminance; `nil` for other curves.
    private let lifts: [Float]?
    private let primaries: FrameColour.Primaries

    /// The light that becomes white, in cd/m².
    private static let white: Float = 203
    /// The largest light in cd/m²: PQ's maximum.
    private static let brightest: Float = 10_000
    /// The light of HLG's largest signal on its reference screen, in cd/m².
    private static let hlgPeak: Float = 1000

    /// Builds the tables for a frame's transfer characteristics.
    package init(_ colour: FrameColour) {
        transfer = colour.transfer
        primaries = colour.primaries
        light = (0..<4096).map { step in Self.light(of: Double(step) / 4095, colour.transfer) }
        lifts =
            colour.transfer == .hlg ? LightScale.table { Self.hlgPeak * Float(pow(max($0, 1e-6), 0.2)) } : nil
    }

    private static func light(of signal: Double, _ transfer: FrameColour.Transfer) -> Float {
        switch transfer {
        case .standard: white * Float(TransferCurve.srgbLight(signal))
        case .pq: Float(TransferCurve.pqLight(signal))
        case .hlg: Float(TransferCurve.hlgScene(signal))
        }
    }

    /// Maps all pixels of a picture.
    ///
    /// - Parameters:
    ///   - signal: red, green and blue of each pixel, and alpha if there are four channels; 16 bits each, full range.
    ///   - bytes: the mapped samples, 8 bits each; as many as in `signal`.
    package func map(
        _ signal: UnsafeBufferPointer<UInt16>, channels: Int = 3, to bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        precondition(signal.count == bytes.count, "a byte for every number")
        let curve = ToneCurve(from: peak(of: signal, channels), to: Double(Self.white))
        let gains = LightScale.table { part in
            let light = part * Double(Self.brightest)
            return light == 0 ? 1 / Self.white : Float(curve.mapped(light) / light) / Self.white
        }
        for place in stride(from: 0, to: signal.count - channels + 1, by: channels) {
            var pixel = displayed(signal, place)
            pixel.scale(by: gains[LightScale.index(pixel.largest / Self.brightest)])
            pixel.narrow(from: primaries)
            bytes[place] = LightScale.signals[LightScale.index(pixel.red)]
            bytes[place + 1] = LightScale.signals[LightScale.index(pixel.green)]
            bytes[place + 2] = LightScale.signals[LightScale.index(pixel.blue)]
            if channels == 4 { bytes[place + 3] = UInt8(signal[place + 3] >> 8) }
        }
    }

    /// A pixel's light on the reference screen, in cd/m².
    private func displayed(_ signal: UnsafeBufferPointer<UInt16>, _ place: Int) -> Light {
        var pixel = Light(
            red: light[Int(signal[place] >> 4)], green: light[Int(signal[place + 1] >> 4)],
            blue: light[Int(signal[place + 2] >> 4)])
        if let lifts { pixel.scale(by: lifts[LightScale.index(pixel.brightness)]) }
        return pixel
    }

    /// The light that the tone curve maps to white, in cd/m².
    private func peak(of signal: UnsafeBufferPointer<UInt16>, _ channels: Int) -> Double {
        switch transfer {
        case .standard: Double(Self.white)
        case .pq: brightestLight(of: signal, channels)
        case .hlg: Double(Self.hlgPeak)
        }
    }

    /// The light that one pixel in a thousand exceeds, so that a few highlights do not darken the picture.
    private func brightestLight(of signal: UnsafeBufferPointer<UInt16>, _ channels: Int) -> Double {
        var counts = [Int](repeating: 0, count: LightScale.stepCount)
        // A sample of about 100,000 pixels suffices.
        let step = max(1, signal.count / channels / 100_000)
        for place in stride(from: 0, to: signal.count - channels + 1, by: channels * step) {
            counts[LightScale.index(displayed(signal, place).largest / Self.brightest)] += 1
        }
        var above = signal.count / channels / step / 1000
        let index = counts.indices.last { index in
            above -= counts[index]
            return above < 0
        }
        return LightScale.light(at: index ?? 0) * Double(Self.brightest)
    }
}

/// Red, green and blue light.
private struct Light {
    var red: Float
    var green: Float
    var blue: Float

    var largest: Float { max(red, max(green, blue)) }

    /// The luminance of BT.2020's primaries (ITU-R BT.2020-2, table 4).
    var brightness: Float { 0.2627 * red + 0.6780 * green + 0.0593 * blue }

    mutating func scale(by factor: Float) {
        red *= factor
        green *= factor
        blue *= factor
    }

    /// Converts to the primaries of BT.709.
    mutating func narrow(from primaries: FrameColour.Primaries) {
        switch primaries {
        case .bt709: return
        // The inverse of ITU-R BT.2087's M2.
        case .bt2020:
            self = Light(
                red: 1.660491 * red - 0.587641 * green - 0.072850 * blue,
                green: -0.124550 * red + 1.132900 * green - 0.008349 * blue,
                blue: -0.018151 * red - 0.100579 * green + 1.118730 * blue)
        // From the chromaticities in SMPTE EG 432-1; the white point is the same.
        case .displayP3:
            self = Light(
                red: 1.224940 * red - 0.224940 * green, green: -0.042057 * red + 1.042057 * green,
                blue: -0.019638 * red - 0.078636 * green + 1.098274 * blue)
        }
    }
}
