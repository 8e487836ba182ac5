internal import CFFmpeg
package import Media

/// How a frame's numbers mean colours.
package struct FrameColour: Equatable, Sendable {
    /// The coefficients between brightness with colour differences and red, green and blue.
    package enum Matrix: Equatable, Sendable {
        case bt601
        case bt709
        case bt2020
        case fcc
        case smpte240
        /// BT.2020's other one, whose brightness is made of light and not of signals.
        case bt2020Constant
        /// Of ITU-T H.273, 8.3.
        case ycgco
        /// ITU-R BT.2100's other one, of what the eye's cones see.
        case ictcp
    }

    /// Which red, green and blue are meant.
    package enum Primaries: Equatable, Sendable {
        /// BT.709's, which are sRGB's; BT.601's two sets, which hardly differ, count as these.
        case bt709
        case bt2020
        /// SMPTE EG 432-1, as telephones film.
        case displayP3
    }

    /// What a signal's value means as light.
    package enum Transfer: Equatable, Sendable {
        case standard
        /// SMPTE ST 2084.
        case pq
        /// ARIB STD-B67, in ITU-R BT.2100.
        case hlg
    }

    package var matrix: Matrix
    /// Whether black is 0, and not 16 of 255.
    package var isFullRange: Bool
    package var transfer: Transfer
    package var primaries: Primaries

    package init(matrix: Matrix, isFullRange: Bool, transfer: Transfer, primaries: Primaries) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.primaries = primaries
    }

    /// The matrix where a file names none: what encoders of such sizes use, and what players therefore assume.
    package static func usualMatrix(for size: PixelSize) -> Matrix {
        size.height >= 720 || size.width >= 1280 ? .bt709 : .bt601
    }
}

extension FrameColour {
    /// What a frame says of its colours, and the field's rules where it says nothing.
    ///
    /// - Parameter storedSize: the whole picture's, of which a frame that was decoded smaller is no measure.
    init(of frame: Frame, storedSize: PixelSize) {
        let values = frame.pointer.pointee
        let transfer = Transfer(values.color_trc)
        let matrix = Matrix(values.colorspace)
        // High dynamic range is BT.2020's (ITU-R BT.2100), and so is what names one half of BT.2020 alone.
        let isWide = transfer != .standard || values.color_primaries == AVCOL_PRI_BT2020
        self.init(
            matrix: matrix ?? (isWide ? .bt2020 : Self.usualMatrix(for: storedSize)),
            isFullRange: values.color_range == AVCOL_RANGE_JPEG || frame.format.isFullRange, transfer: transfer,
            primaries: Primaries(values.color_primaries)
                ?? (isWide || matrix.map(\.isOfBT2020) == true ? .bt2020 : .bt709))
    }

    /// Whether signals must be told as light to be shown.
    var needsMapping: Bool { transfer != .standard || primaries != .bt709 }
}

extension FrameColour.Primaries {
    /// `nil` where the file does not say.
    init?(_ primaries: AVColorPrimaries) {
        switch primaries {
        case AVCOL_PRI_UNSPECIFIED, AVCOL_PRI_RESERVED0, AVCOL_PRI_RESERVED: return nil
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE432: self = .displayP3
        default: self = .bt709
        }
    }
}

extension FrameColour.Matrix {
    /// `nil` where the file does not say, or says something that is no matrix.
    init?(_ space: AVColorSpace) {
        switch space {
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
        case AVCOL_SPC_BT2020_NCL: self = .bt2020
        case AVCOL_SPC_BT2020_CL: self = .bt2020Constant
        case AVCOL_SPC_YCGCO: self = .ycgco
        case AVCOL_SPC_ICTCP: self = .ictcp
        case AVCOL_SPC_FCC: self = .fcc
        case AVCOL_SPC_SMPTE240M: self = .smpte240
        default: return nil
        }
    }

    /// Whether it goes with BT.2020's primaries alone.
    fileprivate var isOfBT2020: Bool { [.bt2020, .bt2020Constant, .ictcp].contains(self) }

    /// libswscale's number for it (`SWS_CS_…`); `nil` where it lacks it.
    var swscaleNumber: Int32? {
        switch self {
        case .bt2020Constant, .ycgco, .ictcp: nil
        case .bt709: SWS_CS_ITU709
        case .bt601: SWS_CS_ITU601
        case .bt2020: SWS_CS_BT2020
        case .fcc: SWS_CS_FCC
        case .smpte240: SWS_CS_SMPTE240M
        }
    }

    /// The word in the facts.
    var name: String {
        switch self {
        case .bt709: "bt709"
        case .bt601: "bt601"
        case .bt2020: "bt2020"
        case .fcc: "fcc"
        case .smpte240: "smpte240m"
        case .bt2020Constant: "bt2020c"
        case .ycgco: "ycgco"
        case .ictcp: "ictcp"
        }
    }
}

extension FrameColour.Transfer {
    init(_ characteristic: AVColorTransferCharacteristic) {
        switch characteristic {
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .standard
        }
    }

    /// The word in the facts; `nil` where the picture has the usual dynamic range.
    var name: String? {
        switch self {
        case .standard: nil
        case .pq: "pq"
        case .hlg: "hlg"
        }
    }
}
