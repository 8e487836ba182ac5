internal import CFFmpeg
internal import Media

/// Scales and converts frames with libswscale, in one pass.
struct Scaler {
    /// The pixel format that libswscale writes.
    enum Output {
        case rgb
        case rgba
        /// 16 bits per channel, little-endian, in the frame's own primaries and transfer curve.
        case rgb16
        case rgba16
        /// The frame's own luma and colour differences, shifted to 16 bits: three planes, one after another.
        case planes16

        fileprivate var format: AVPixelFormat {
            switch self {
            case .rgb: AV_PIX_FMT_RGB24
            case .rgba: AV_PIX_FMT_RGBA
            case .rgb16: AV_PIX_FMT_RGB48LE
            case .rgba16: AV_PIX_FMT_RGBA64LE
            case .planes16: AV_PIX_FMT_YUV444P16LE
            }
        }

        /// The sum over all channels or planes.
        var bytesPerPixel: Int {
            switch self {
            case .rgb: 3
            case .rgba: 4
            case .rgb16, .planes16: 6
            case .rgba16: 8
            }
        }
    }

    /// Scales a whole frame to `size`.
    ///
    /// - Parameter target: memory for width × height pixels without gaps, plus `slackByteCount` bytes, since libswscale
    ///   writes past the end of each row.
    /// - Throws: `corrupt` if libswscale refuses the frame.
    static func scale(
        _ planes: FramePlanes, _ colour: FrameColour, to size: PixelSize, _ output: Output,
        into target: UnsafeMutableRawPointer
    ) throws(Failure) {
        guard
            let context = sws_getContext(
                Int32(planes.size.width), Int32(planes.size.height), planes.format.value, Int32(size.width),
                Int32(size.height),
                output.format, flags(from: planes.size, to: size), nil, nil, nil)
        else { throw Failure(.corrupt, detail: "scale \(planes.size) to \(size): \(FFmpegLog.lastError)") }
        defer { sws_freeContext(context) }
        setColours(of: context, colour, output)
        let planeCount = output == .planes16 ? 3 : 1
        let bytesPerPixel = output.bytesPerPixel / planeCount
        let bytes = target.assumingMemoryBound(to: UInt8.self)
        var rows: [UnsafeMutablePointer<UInt8>?] = (0..<4).map { plane in
            plane < planeCount ? bytes + plane * size.pixelCount * bytesPerPixel : nil
        }
        var rowBytes = (0..<4).map { $0 < planeCount ? Int32(size.width * bytesPerPixel) : 0 }
        let result = sws_scale(
            context, planes.rows, planes.rowBytes, 0, Int32(planes.size.height), &rows, &rowBytes)
        guard result == size.height else { throw FFmpegError(code: min(result, -1)).failure(in: "scale") }
    }

    private static func flags(from old: PixelSize, to new: PixelSize) -> Int32 {
        let filter = new.width * 2 <= old.width && new.height * 2 <= old.height ? SWS_AREA : SWS_BICUBIC
        return filter | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
    }

    private static func setColours(of context: OpaquePointer, _ colour: FrameColour, _ output: Output) {
        let table = sws_getCoefficients(colour.matrix.swscaleNumber ?? SWS_CS_DEFAULT)
        let range: Int32 = colour.isFullRange ? 1 : 0
        // Fails for RGB to RGB, which needs no matrix.
        sws_setColorspaceDetails(
            context, table, range, table, output == .planes16 ? range : 1, 0, 1 << 16, 1 << 16)
    }
}

extension Scaler {
    /// The number of bytes that libswscale may write past the last row.
    static let slackByteCount = 256
}
