internal import CVips
internal import Media

/// Samples whose range nothing states: a TIFF's floating point, integers of 32 bits and signed ones (TIFF 6.0, section 19), and
/// the floating point of portable maps.
///
/// libvips takes them all for 0...255, and a TIFF's floating-point RGB for linear light. Programs that write such files mean
/// other ranges: ImageMagick, GIMP and Photoshop 0...1 for floating point and the whole range for integers, others whatever
/// their eight or sixteen bits were. So the picture itself is asked, when it is small.
struct WideSamples {
    let kind: Kind
    /// What libvips takes the bands for.
    let interpretation: VipsInterpretation

    enum Kind {
        case floating
        /// The highest number, and whether there are negative ones as low.
        case integer(highest: Double, isSigned: Bool)
    }

    /// `nil` where samples are of an ordinary kind, or their meaning gives their range, as with CIE Lab.
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

    /// The picture as floating point that can be resized: no sample but finite ones, no alpha cut off by libvips, which takes
    /// 255 for the most.
    ///
    /// - Returns: floating-point samples of 0...255 as they were, integers as shares of their highest number times 255.
    func tamed(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        switch kind {
        case .floating:
            // A cast to integers makes zeros of what is no number and of what is negative, and cuts off what is too much.
            let steps = try picture.multiplied(by: Self.fineness)
            let whole = try VipsOperation("cast", on: steps).with("format", .integer(Int(VIPS_FORMAT_UINT.rawValue)))
                .output()
            return try whole.multiplied(by: 1 / Self.fineness).meaning(plainInterpretation)
        case .integer(let highest, _):
            return try picture.multiplied(by: 255 / highest).meaning(plainInterpretation)
        }
    }

    /// Steps of a sample's unit that are told apart: 255 of them fit into 32 bits, and so do highlights four times as bright.
    private static let fineness = Double(1 << 22)

    /// Where 255 is white.
    private var plainInterpretation: VipsInterpretation {
        switch interpretation {
        case VIPS_INTERPRETATION_scRGB, VIPS_INTERPRETATION_RGB16: VIPS_INTERPRETATION_sRGB
        case VIPS_INTERPRETATION_GREY16: VIPS_INTERPRETATION_B_W
        default: interpretation
        }
    }
}
