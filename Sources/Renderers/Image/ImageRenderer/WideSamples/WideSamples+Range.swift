internal import CVips
internal import Glibc
internal import Media
internal import Rendering
internal import Wire

extension WideSamples {
    /// Converts the picture to 16 bits per sample, based on the range of its samples.
    ///
    /// - Parameter picture: bounded, at its final size.
    func fitted(_ picture: VipsPicture, noting job: RenderJob) throws(Failure) -> VipsPicture {
        let profile = picture.bytes("icc-profile-data")
        let picture = try VipsOperation("cast", on: picture).with("format", .integer(Int(VIPS_FORMAT_FLOAT.rawValue)))
            .output().inMemory()
        let bandCount = picture.bandCount
        // The picture owns these samples, and is used again after their last use.
        let samples = UnsafeBufferPointer(
            start: vips_image_get_data(picture.pointer).assumingMemoryBound(to: Float.self),
            count: picture.size.pixelCount * bandCount)
        let alphaBand = picture.hasAlpha ? bandCount - 1 : nil
        let survey = SampleSurvey(of: samples, bandCount: bandCount, besides: alphaBand)
        let colours = range(of: survey, isLightPossible: profile == nil)
        job.note(.colour, "\(kind.words), no range stated: interpreted as \(colours.words)")
        var ranges = Array(repeating: colours, count: bandCount)
        if let alphaBand {
            let alpha = SampleSurvey(ofAlphaIn: samples, bandCount: bandCount)
            ranges[alphaBand] = range(of: alpha, isLightPossible: false)
        }
        let shown = samples.indices.map { ranges[$0 % bandCount].shown(samples[$0]) }
        let deep = try VipsPicture.made(of: shown, size: picture.size, bandCount: bandCount).meaning(deepInterpretation)
        return try profile.map(deep.tagged) ?? deep
    }

    private func range(of survey: SampleSurvey, isLightPossible: Bool) -> SampleRange {
        switch kind {
        case .floating:
            guard survey.peak <= Self.dark || survey.isMostlyUpToOne else {
                return SampleRange(black: 0, white: 255, words: "0…255")
            }
            let isLight = isLightPossible && survey.hasHighlights
            return SampleRange(black: 0, white: 1, isLight: isLight, words: isLight ? "linear light" : "0…1")
        case .integer(let highest, let isSigned):
            if isSigned, survey.lowest < -Self.ringing * survey.peak {
                // Signed integers have one more value below zero than above zero.
                let black = Float(-255 * (highest + 1) / highest)
                return SampleRange(black: black, white: 255, words: "the whole range")
            }
            let peak = Double(survey.peak) / 255 * highest
            let white = [255, 65_535].first { $0 < highest && peak <= $0 * (1 + Double(Self.ringing)) } ?? highest
            return SampleRange(black: 0, white: Float(white / highest * 255), words: "0…\(Int(white))")
        }
    }

    /// A picture of 0...255 whose peak is at most this would be almost black, which nobody keeps.
    private static let dark: Float = 16

    /// The maximum overshoot of the Lanczos kernel at an edge, as a share of the edge's height.
    private static let ringing: Float = 0.25

    private var deepInterpretation: VipsInterpretation {
        switch interpretation {
        case VIPS_INTERPRETATION_scRGB, VIPS_INTERPRETATION_sRGB: VIPS_INTERPRETATION_RGB16
        case VIPS_INTERPRETATION_B_W: VIPS_INTERPRETATION_GREY16
        default: interpretation
        }
    }
}

extension WideSamples.Kind {
    /// The description for `--explain`.
    fileprivate var words: String {
        switch self {
        case .floating: "floating-point samples"
        case .integer(_, let isSigned): isSigned ? "signed samples" : "samples of 32 bits"
        }
    }
}

/// The samples that stand for black and white.
private struct SampleRange {
    let black: Float
    let white: Float
    /// Whether samples are linear light, to which sRGB's curve must be applied.
    var isLight = false
    let words: String

    func shown(_ sample: Float) -> UInt16 {
        let share = min(max((sample - black) / (white - black), 0), 1)
        return UInt16(((isLight ? Self.encoded(share) : share) * 65_535).rounded())
    }

    /// IEC 61966-2-1.
    private static func encoded(_ light: Float) -> Float {
        light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
    }
}
