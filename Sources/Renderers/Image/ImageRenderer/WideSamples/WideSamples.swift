internal import CVips
internal import Media

/// Samples whose range the file does not state: a TIFF's floating-point, 32-bit and signed samples (TIFF 6.0, section
/// 19), and the floating-point samples of portable maps.
///
/// libvips treats all of them as 0...255, and a TIFF's floating-point RGB as linear light. Programs that write such
/// files mean other ranges. ImageMagick, GIMP and Photoshop mean 0...1 for floating point and the whole range for
/// integers; others mean the range of their eight or sixteen bits. So the range comes from the samples of the resized
/// picture.
struct WideSamples {
    let kind: Kind
    /// The interpretation that libvips gives the bands.
    let interpretation: VipsInterpretation

    enum Kind {
        case floating
        /// The highest value, and whether the lowest value is its negative.
        case integer(highest: Double, isSigned: Bool)
    }

    /// `nil` if the samples' format or interpretation states their range, as CIE Lab's does.
    init?(of picture: VipsPicture, in format: ImageFormat) {
        guard format.kind == .tiff || format.kind == .portableAnymap, let kind = Self.kind(of: picture.format) else {
            return nil
        }
        switch picture.interpretation {
        case VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS, VIPS_INTERPRETATION_XYZ: return nil
        case let other: interpretation = other
        }
        self.kind = kind
    }

    private static func kind(of format: VipsBandFormat) -> Kind? {
        switch format {
        case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE: .floating
        case VIPS_FORMAT_CHAR: .integer(highest: 127, isSigned: true)
        case VIPS_FORMAT_SHORT: .integer(highest: 32_767, isSigned: true)
        case VIPS_FORMAT_INT: .integer(highest: 2_147_483_647, isSigned: true)
        case VIPS_FORMAT_UINT: .integer(highest: 4_294_967_295, isSigned: false)
        default: nil
        }
    }

    /// Converts the picture to floating point that can be resized: finite samples only, and alpha of at most 255, above
    /// which libvips truncates it.
    ///
    /// - Returns: floating-point samples of 0...255 unchanged; integers as shares of their highest value, times 255.
    func bounded(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        switch kind {
        case .floating:
            // A cast to integers turns NaN and negative samples into 0, and truncates large ones.
            let steps = try picture.multiplied(by: Self.fineness)
            let whole = try VipsOperation("cast", on: steps).with("format", .integer(Int(VIPS_FORMAT_UINT.rawValue)))
                .output()
            return try whole.multiplied(by: 1 / Self.fineness).meaning(plainInterpretation)
        case .integer(let highest, _):
            return try picture.multiplied(by: 255 / highest).meaning(plainInterpretation)
        }
    }

    /// The number of steps in one unit of a sample: 255 units fit into 32 bits, with highlights four times as bright.
    private static let fineness = Double(1 << 22)

    /// An interpretation in which 255 is white.
    private var plainInterpretation: VipsInterpretation {
        switch interpretation {
        case VIPS_INTERPRETATION_scRGB, VIPS_INTERPRETATION_RGB16: VIPS_INTERPRETATION_sRGB
        case VIPS_INTERPRETATION_GREY16: VIPS_INTERPRETATION_B_W
        default: interpretation
        }
    }
}
