internal import COpenJPEG
internal import Glibc
internal import Media

/// A JPEG 2000 picture, decoded at one of its own lower resolutions.
struct ReducedJPX {
    let storedSize: PixelSize
    let size: PixelSize
    let channelCount: Int
    /// What the file says of its colours, if it does.
    let space: Space?
    /// `channelCount` bytes a pixel, rows without gaps.
    let samples: [UInt8]

    enum Space {
        case gray, rgb
    }

    /// How many times larger than shown it must be: its filters leave less beyond what a resolution holds than JPEG's blocks.
    private static let margin = 1.25
    private static let largestSampleCount = 64 << 20

    /// - Parameter shown: the size that it is shown in.
    /// - Throws: where it is not plain (8 bits, components of one size, no transparency), damaged, or has no lower resolution
    ///   that is large enough.
    init(_ file: [UInt8], shown: PixelSize) throws(NotPlain) {
        let isBoxed = file.starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20])
        guard let codec = opj_create_decompress(isBoxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K) else {
            throw NotPlain("OpenJPEG does not start")
        }
        defer { opj_destroy_codec(codec) }
        var parameters = opj_dparameters_t()
        opj_set_default_decoder_parameters(&parameters)
        guard opj_setup_decoder(codec, &parameters) != 0, let stream = JPXInput(file).makeStream() else {
            throw NotPlain("OpenJPEG does not start")
        }
        defer { opj_stream_destroy(stream) }
        var found: UnsafeMutablePointer<opj_image_t>?
        guard opj_read_header(stream, codec, &found) != 0, let image = found else {
            throw NotPlain("damaged JPEG 2000")
        }
        defer { opj_image_destroy(image) }
        storedSize = try Self.size(of: image)
        let levels = try Self.levels(of: codec)
        let factor = min(
            Double(storedSize.width) / Double(shown.width), Double(storedSize.height) / Double(shown.height))
        let reduction = (0..<levels).last { Double(1 << $0) * Self.margin <= factor } ?? 0
        guard reduction > 0, opj_set_decoded_resolution_factor(codec, OPJ_UINT32(reduction)) != 0 else {
            throw NotPlain("no lower resolution")
        }
        let componentCount = image.pointee.numcomps
        guard opj_decode(codec, stream, image) != 0, opj_end_decompress(codec, stream) != 0 else {
            throw NotPlain("damaged JPEG 2000")
        }
        // It looked the means of places up in a palette.
        guard image.pointee.numcomps == componentCount else { throw NotPlain("JPEG 2000 with a palette") }
        space = try Self.space(of: image)
        (size, channelCount, samples) = try Self.samples(of: image)
    }

    private static func size(of image: UnsafeMutablePointer<opj_image_t>) throws(NotPlain) -> PixelSize {
        let image = image.pointee
        guard image.x1 > image.x0, image.y1 > image.y0, image.x1 < 1 << 20, image.y1 < 1 << 20 else {
            throw NotPlain("an odd size")
        }
        return PixelSize(width: Int(image.x1 - image.x0), height: Int(image.y1 - image.y0))
    }

    /// How many resolutions there are.
    private static func levels(of codec: UnsafeMutablePointer<opj_codec_t?>) throws(NotPlain) -> Int {
        var information = opj_get_cstr_info(codec)
        defer { opj_destroy_cstr_info(&information) }
        guard let tile = information?.pointee.m_default_tile_info, let component = tile.tccp_info else {
            throw NotPlain("no resolutions")
        }
        return Int(min(component.pointee.numresolutions, 32))
    }

    private static func space(of image: UnsafeMutablePointer<opj_image_t>) throws(NotPlain) -> Space? {
        switch image.pointee.color_space {
        case OPJ_CLRSPC_SRGB: .rgb
        case OPJ_CLRSPC_GRAY: .gray
        case OPJ_CLRSPC_UNSPECIFIED, OPJ_CLRSPC_UNKNOWN, OPJ_CLRSPC_CMYK: nil
        default: throw NotPlain("luma and chroma in JPEG 2000")
        }
    }

    private static func samples(
        of image: UnsafeMutablePointer<opj_image_t>
    ) throws(NotPlain) -> (PixelSize, Int, [UInt8]) {
        let components = UnsafeBufferPointer(start: image.pointee.comps, count: Int(image.pointee.numcomps))
        guard let first = components.first, [1, 3, 4].contains(components.count),
            components.allSatisfy({
                $0.w == first.w && $0.h == first.h && $0.dx == 1 && $0.dy == 1 && $0.prec == 8 && $0.sgnd == 0
                    && $0.alpha == 0 && $0.data != nil
            })
        else { throw NotPlain("components of an unusual kind") }
        let size = PixelSize(width: Int(first.w), height: Int(first.h))
        let count = components.count
        guard size.pixelCount * count <= largestSampleCount else { throw NotPlain("large JPEG 2000") }
        var samples = [UInt8](repeating: 0, count: size.pixelCount * count)
        for (channel, component) in components.enumerated() {
            // OpenJPEG keeps w × h numbers for each component.
            let data = UnsafeBufferPointer(start: component.data, count: size.pixelCount)
            let centred = CentredSamples(data, size, reduction: Int(component.factor))
            centred.write(channel, of: count, into: &samples)
        }
        return (size, count, samples)
    }
}

/// Samples of a lower resolution, moved to the middles of what they stand for.
///
/// A low-pass sample of a wavelet lies on an even sample of the resolution above (ISO/IEC 15444-1, F.3), not between two: after
/// r reductions the picture would appear (2^r − 1) / 2 samples of the whole one to the right and below.
private struct CentredSamples {
    private let data: UnsafeBufferPointer<OPJ_INT32>
    private let size: PixelSize
    /// How much of the next sample is taken, in 256ths.
    private let share: Int32

    init(_ data: UnsafeBufferPointer<OPJ_INT32>, _ size: PixelSize, reduction: Int) {
        self.data = data
        self.size = size
        share = 128 - Int32(128 >> min(reduction, 8))
    }

    func write(_ channel: Int, of count: Int, into samples: inout [UInt8]) {
        var place = channel
        for y in 0..<size.height {
            let row = y * size.width
            let below = y + 1 < size.height ? row + size.width : row
            for x in 0..<size.width {
                let next = x + 1 < size.width ? x + 1 : x
                let upper = mixed(data[row + x], data[row + next])
                let lower = mixed(data[below + x], data[below + next])
                samples[place] = UInt8(clamping: (upper &* (256 &- share) &+ lower &* share &+ 0x8000) >> 16)
                place += count
            }
        }
    }

    /// In 256ths.
    private func mixed(_ one: Int32, _ next: Int32) -> Int32 { one &* (256 &- share) &+ next &* share }
}
