internal import CVips
internal import Glibc
internal import Media

extension CodedColour {
    /// Converts a picture to 8-bit sRGB.
    ///
    /// It maps high dynamic range to a standard screen: 203 cd/m² is white (ITU-R BT.2408). It keeps light up to half
    /// of that, and compresses light up to 1,000 cd/m² into the rest. One factor for all three channels keeps hues.
    ///
    /// - Parameter picture: 8-bit or 16-bit RGB or RGBA.
    func converted(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        let picture = try picture.inMemory()
        let isDeep = picture.format == VIPS_FORMAT_USHORT
        guard picture.bandCount == 3 || picture.bandCount == 4, isDeep || picture.format == VIPS_FORMAT_UCHAR else {
            return picture
        }
        let count = picture.size.pixelCount * picture.bandCount
        let data = vips_image_get_data(picture.pointer)!
        let bytes =
            isDeep
            ? converted(
                UnsafeBufferPointer(start: data.assumingMemoryBound(to: UInt16.self), count: count), picture.bandCount)
            : converted(
                UnsafeBufferPointer(start: data.assumingMemoryBound(to: UInt8.self), count: count), picture.bandCount)
        let image = bytes.withUnsafeBytes {
            vips_image_new_from_memory_copy(
                $0.baseAddress, $0.count, Int32(picture.size.width), Int32(picture.size.height),
                Int32(picture.bandCount),
                VIPS_FORMAT_UCHAR)
        }
        guard let image else { throw VipsError.failure(in: "colour") }
        return try VipsOperation("copy", on: VipsPicture(owning: image))
            .with("interpretation", .integer(Int(VIPS_INTERPRETATION_sRGB.rawValue))).output()
    }

    private func converted<Sample: FixedWidthInteger & UnsignedInteger>(
        _ samples: UnsafeBufferPointer<Sample>, _ bandCount: Int
    ) -> [UInt8] {
        let linear = (0...Int(Sample.max)).map { light(Float($0) / Float(Sample.max)) }
        var bytes = [UInt8](repeating: 0, count: samples.count)
        for start in stride(from: 0, to: samples.count, by: bandCount) {
            let pixel = SIMD3(
                linear[Int(samples[start])], linear[Int(samples[start + 1])], linear[Int(samples[start + 2])])
            let shown = fitted(matrix.applied(to: displayed(pixel)))
            for band in 0..<3 { bytes[start + band] = Self.encoded[Int(shown[band] * 65535)] }
            if bandCount == 4 {
                bytes[start + 3] = UInt8(truncatingIfNeeded: samples[start + 3] >> (Sample.bitWidth - 8))
            }
        }
        return bytes
    }

    /// The light of a code value in 0...1; 1 is white. For HLG it is the scene's light, otherwise the screen's.
    private func light(_ value: Float) -> Float {
        switch transfer {
        case .standard: value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
        case .pq: Self.pq(value)
        case .hlg: value <= 0.5 ? value * value / 3 : (expf((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    /// SMPTE ST 2084, equation 4.1, with 203 cd/m² as 1.
    private static func pq(_ value: Float) -> Float {
        let power = powf(value, 32 / 2523.0)
        let light = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
        return powf(light, 16384 / 2610.0) * 10_000 / 203
    }

    /// Converts HLG's scene light to the light of a screen of 1,000 cd/m² (ITU-R BT.2100, table 5); returns other light
    /// unchanged.
    private func displayed(_ pixel: SIMD3<Float>) -> SIMD3<Float> {
        guard transfer == .hlg else { return pixel }
        let luminance = (pixel * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return pixel * (powf(luminance, 0.2) * 1000 / 203)
    }

    /// Compresses light into 0...1.
    private func fitted(_ pixel: SIMD3<Float>) -> SIMD3<Float> {
        let peak = pixel.max()
        guard transfer != .standard, peak > Self.knee else { return pixel.clamped(lowerBound: .zero, upperBound: .one) }
        // Reinhard's curve above the knee: slope 1 at the knee, value 1 at the brightest.
        let range = 1 - Self.knee
        let above = (peak - Self.knee) / range
        let brightest = (Self.brightest - Self.knee) / range
        let compressed = Self.knee + range * above * (1 + above / (brightest * brightest)) / (1 + above)
        return (pixel * (compressed / peak)).clamped(lowerBound: .zero, upperBound: .one)
    }

    private static let knee: Float = 0.5
    private static let brightest: Float = 1000 / 203

    /// The sRGB levels for 65,536 steps of linear light (IEC 61966-2-1).
    private static let encoded: [UInt8] = (0...65535).map { step in
        let light = Float(step) / 65535
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }

    private var matrix: ColourMatrix {
        switch primaries {
        case .bt709: .identity
        case .bt2020: .bt2020
        case .displayP3: .displayP3
        }
    }
}

/// A matrix from a space's linear RGB to linear sRGB, both with a D65 white point; computed from the primaries in ITU-R
/// BT.709, BT.2020 and SMPTE EG 432-1.
private struct ColourMatrix {
    let red, green, blue: SIMD3<Float>

    static let identity = ColourMatrix(red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])
    static let bt2020 = ColourMatrix(
        red: [1.6605, -0.5876, -0.0728], green: [-0.1246, 1.1329, -0.0083], blue: [-0.0182, -0.1006, 1.1187])
    static let displayP3 = ColourMatrix(
        red: [1.2249, -0.2249, 0], green: [-0.0420, 1.0420, 0], blue: [-0.0197, -0.0786, 1.0983])

    func applied(to pixel: SIMD3<Float>) -> SIMD3<Float> {
        [(red * pixel).sum(), (green * pixel).sum(), (blue * pixel).sum()]
    }
}
