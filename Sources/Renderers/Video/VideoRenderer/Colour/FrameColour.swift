internal import CFFmpeg
package import Media

/// The conversion of a frame's samples to colours (ITU-T H.273, 8).
package struct FrameColour: Equatable, Sendable {
    /// The matrix coefficients: how luma and colour differences are derived from red, green and blue.
    package enum Matrix: Equatable, Sendable {
        case bt601
        case bt709
        case bt2020
        case fcc
        case smpte240
        /// BT.2020 with constant luminance: luma is derived from linear light.
        case bt2020Constant
        case ycgco
        /// BT.2100's alternative to Y′CbCr, derived from the responses of the eye's cones.
        case ictcp
    }

    /// The colour primaries: which red, green and blue the file means.
    package enum Primaries: Equatable, Sendable {
        /// The primaries of BT.709 and sRGB; also used for the two sets of BT.601, which hardly differ.
        case bt709
        case bt2020
        /// SMPTE EG 432-1: videos from phones.
        case displayP3
    }

    /// The transfer characteristics: how a signal's value is converted to light.
    package enum Transfer: Equatable, Sendable {
        /// Standard dynamic range.
        case standard
        /// Perceptual quantization (SMPTE ST 2084).
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg
    }

    /// The matrix coefficients.
    package var matrix: Matrix

    /// Whether black is 0, as opposed to 16 of 255.
    package var isFullRange: Bool

    /// The transfer characteristics.
    package var transfer: Transfer

    /// Which red, green and blue the file means.
    package var primaries: Primaries

    /// Combines the four properties.
    package init(matrix: Matrix, isFullRange: Bool, transfer: Transfer, primaries: Primaries) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        self.primaries = primaries
    }

    /// The matrix coefficients that players assume if a file names none.
    package static func usualMatrix(for size: PixelSize) -> Matrix {
        size.height >= 720 || size.width >= 1280 ? .bt709 : .bt601
    }
}

extension FrameColour {
    /// The properties that a frame states, and the usual properties if it states none.
    ///
    /// - Parameter storedSize: the size of the picture as stored; a frame decoded at a reduced size has another size.
    init(of frame: Frame, storedSize: PixelSize) {
        let values = frame.pointer.pointee
        let transfer = Transfer(values.color_trc)
        let matrix = Matrix(values.colorspace)
        // High dynamic range has BT.2020's primaries and matrix (ITU-R BT.2100); if a file names one of the two, this
        // assumes the other.
        let isWide = transfer != .standard || values.color_primaries == AVCOL_PRI_BT2020
        self.init(
            matrix: matrix ?? (isWide ? .bt2020 : Self.usualMatrix(for: storedSize)),
            isFullRange: values.color_range == AVCOL_RANGE_JPEG || frame.format.isFullRange, transfer: transfer,
            primaries: Primaries(values.color_primaries)
                ?? (isWide || matrix.map(\.isOfBT2020) == true ? .bt2020 : .bt709))
    }

    /// Whether signals must be converted to light and back for an sRGB screen.
    var needsMapping: Bool { transfer != .standard || primaries != .bt709 }
}

extension FrameColour.Primaries {
    /// Translates FFmpeg's value; `nil` for an unspecified one.
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
    /// Translates FFmpeg's value; `nil` for an unspecified one, and for RGB.
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

    /// Whether it occurs only with the primaries of BT.2020.
    fileprivate var isOfBT2020: Bool { [.bt2020, .bt2020Constant, .ictcp].contains(self) }

    /// libswscale's number (`SWS_CS_…`); `nil` for matrices that libswscale lacks.
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

    /// The name in the facts.
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
    /// Translates FFmpeg's value.
    init(_ characteristic: AVColorTransferCharacteristic) {
        switch characteristic {
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .standard
        }
    }

    /// The name in the facts; `nil` for standard dynamic range.
    var name: String? {
        switch self {
        case .standard: nil
        case .pq: "pq"
        case .hlg: "hlg"
        }
    }
}
