internal import COpenJPEG
internal import Glibc
internal import Media

/// A JPEG 2000 image decoded at one of its lower resolution levels.
struct ReducedJPX {
    /// The size of the full image.
    let storedSize: PixelSize
    /// The size of the decoded resolution level.
    let size: PixelSize
    let channelCount: Int
    /// The colour space that the file names; `nil` for none or an unknown one.
    let space: Space?
    /// `channelCount` bytes per pixel, in rows without gaps.
    let samples: [UInt8]

    enum Space {
        case gray, rgb
    }

    /// The number of samples per pixel and side that a resolution level must have. It is lower than for JPEG
    /// (`ReducedImage.margin`): wavelet filters alias less than block averages.
    private static let margin = 1.25
    private static let largestSampleCount = 64 << 20

    /// - Parameter shown: the pixels on which the image is drawn.
    /// - Throws: if the image is damaged, has no lower resolution level that is large enough, or is not an opaque 8-bit
    ///   image with components of one size.
    init(_ file: [UInt8], shown: PixelSize) throws(NotReducible) {
        let isBoxed = file.starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20])
        guard let codec = opj_create_decompress(isBoxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K) else {
            throw NotReducible("OpenJPEG does not start")
        }
        defer { opj_destroy_codec(codec) }
        var parameters = opj_dparameters_t()
        opj_set_default_decoder_parameters(&parameters)
        guard opj_setup_decoder(codec, &parameters) != 0, let stream = JPXInput(file).makeStream() else {
            throw NotReducible("OpenJPEG does not start")
        }
        defer { opj_stream_destroy(stream) }
        var found: UnsafeMutablePointer<opj_image_t>?
        guard opj_read_header(stream, codec, &found) != 0, let image = found else {
            throw NotReducible("a damaged JPEG 2000 image")
        }
        defer { opj_image_destroy(image) }
        storedSize = try Self.size(of: image)
        let levels = try Self.levels(of: codec)
        let factor = min(
            Double(storedSize.width) / Double(shown.width), Double(storedSize.height) / Double(shown.height))
        let reduction = (0..<levels).last { Double(1 << $0) * Self.margin <= factor } ?? 0
        guard reduction > 0, opj_set_decoded_resolution_factor(codec, OPJ_UINT32(reduction)) != 0 else {
            throw NotReducible("no lower resolution level")
        }
        let componentCount = image.pointee.numcomps
        guard opj_decode(codec, stream, image) != 0, opj_end_decompress(codec, stream) != 0 else {
            throw NotReducible("a damaged JPEG 2000 image")
        }
        // OpenJPEG would apply a palette to averages of its indices.
        guard image.pointee.numcomps == componentCount else { throw NotReducible("a JPEG 2000 image with a palette") }
        space = try Self.space(of: image)
        (size, channelCount, samples) = try Self.samples(of: image)
    }

    private static func size(of image: UnsafeMutablePointer<opj_image_t>) throws(NotReducible) -> PixelSize {
        let image = image.pointee
        guard image.x1 > image.x0, image.y1 > image.y0, image.x1 < 1 << 20, image.y1 < 1 << 20 else {
            throw NotReducible("an unusual size")
        }
        return PixelSize(width: Int(image.x1 - image.x0), height: Int(image.y1 - image.y0))
    }

    /// The number of resolution levels.
    private static func levels(of codec: UnsafeMutablePointer<opj_codec_t?>) throws(NotReducible) -> Int {
        var information = opj_get_cstr_info(codec)
        defer { opj_destroy_cstr_info(&information) }
        guard let tile = information?.pointee.m_default_tile_info, let component = tile.tccp_info else {
            throw NotReducible("no resolution levels")
        }
        return Int(min(component.pointee.numresolutions, 32))
    }

    private static func space(of image: UnsafeMutablePointer<opj_image_t>) throws(NotReducible) -> Space? {
        switch image.pointee.color_space {
        case OPJ_CLRSPC_SRGB: .rgb
        case OPJ_CLRSPC_GRAY: .gray
        case OPJ_CLRSPC_UNSPECIFIED, OPJ_CLRSPC_UNKNOWN, OPJ_CLRSPC_CMYK: nil
        default: throw NotReducible("a JPEG 2000 image in luma and chroma")
        }
    }

    private static func samples(
        of image: UnsafeMutablePointer<opj_image_t>
    ) throws(NotReducible) -> (PixelSize, Int, [UInt8]) {
        let components = UnsafeBufferPointer(start: image.pointee.comps, count: Int(image.pointee.numcomps))
        guard let first = components.first, [1, 3, 4].contains(components.count),
            components.allSatisfy({
                $0.w == first.w && $0.h == first.h && $0.dx == 1 && $0.dy == 1 && $0.prec == 8 && $0.sgnd == 0
                    && $0.alpha == 0 && $0.data != nil
            })
        else { throw NotReducible("unusual components") }
        let size = PixelSize(width: Int(first.w), height: Int(first.h))
        let count = components.count
        guard size.pixelCount * count <= largestSampleCount else { throw NotReducible("a large JPEG 2000 image") }
        var samples = [UInt8](repeating: 0, count: size.pixelCount * count)
        for (channel, component) in components.enumerated() {
            // OpenJPEG allocates w × h samples for each component.
            let data = UnsafeBufferPointer(start: component.data, count: size.pixelCount)
            let centred = CentredSamples(data, size, reduction: Int(component.factor))
            centred.write(channel, of: count, into: &samples)
        }
        return (size, count, samples)
    }
}

/// The samples of a lower resolution level, shifted to the centres of the areas that they represent.
///
/// A low-pass wavelet sample lies on an even sample of the next level (ISO/IEC 15444-1, F.3), not between two. After r
/// reductions the image would appear (2^r − 1) / 2 full-size samples too far to the right and down.
private struct CentredSamples {
    private let data: UnsafeBufferPointer<OPJ_INT32>
    private let size: PixelSize
    /// The weight of the next sample, in 256ths.
    private let share: Int32

    init(_ data: UnsafeBufferPointer<OPJ_INT32>, _ size: PixelSize, reduction: Int) {
        self.data = data
        self.size = size
        share = 128 - Int32(128 >> min(reduction, 8))
    }

    /// Writes the channel into samples of `count` channels.
    func write(_ channel: Int, of count: Int, into samples: inout [UInt8]) {
        var index = channel
        for y in 0..<size.height {
            let row = y * size.width
            let below = y + 1 < size.height ? row + size.width : row
            for x in 0..<size.width {
                let next = x + 1 < size.width ? x + 1 : x
                let upper = mixed(data[row + x], data[row + next])
                let lower = mixed(data[below + x], data[below + next])
                samples[index] = UInt8(clamping: (upper &* (256 &- share) &+ lower &* share &+ 0x8000) >> 16)
                index += count
            }
        }
    }

    /// The weighted sum of two samples, in 256ths.
    private func mixed(_ one: Int32, _ next: Int32) -> Int32 { one &* (256 &- share) &+ next &* share }
}
