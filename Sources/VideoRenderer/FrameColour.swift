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
    /// Whether red, green and blue are BT.2020's, and not about BT.709's.
    package var hasWidePrimaries: Bool

    package init(matrix: Matrix, isFullRange: Bool, transfer: Transfer, hasWidePrimaries: Bool) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.hasWidePrimaries = hasWidePrimaries
    }

    /// The matrix where a file names none: what encoders of such sizes use, and what players therefore assume.
    package static func usualMatrix(for size: PixelSize) -> Matrix {
        size.height >= 720 || size.width >= 1280 ? .bt709 : .bt601
    }
}

extension FrameColour {
    init(of frame: Frame) {
        let values = frame.pointer.pointee
        self.init(
            matrix: Matrix(values.colorspace) ?? Self.usualMatrix(for: frame.size),
            isFullRange: values.color_range == AVCOL_RANGE_JPEG || frame.format.isFullRange,
            transfer: Transfer(values.color_trc), hasWidePrimaries: values.color_primaries == AVCOL_PRI_BT2020)
    }
}

extension FrameColour.Matrix {
    /// `nil` where the file does not say, or says something that is no matrix.
    init?(_ space: AVColorSpace) {
        switch space {
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: self = .bt2020
        case AVCOL_SPC_FCC: self = .fcc
        case AVCOL_SPC_SMPTE240M: self = .smpte240
        default: return nil
        }
    }

    /// libswscale's number for it (`SWS_CS_…`).
    var swscaleNumber: Int32 {
        switch self {
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
