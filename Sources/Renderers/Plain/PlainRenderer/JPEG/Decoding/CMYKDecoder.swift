internal import CTurboJPEG
internal import Formats
internal import Media
internal import Rendering

/// Decodes JPEGs with four components (CMYK or YCCK) as inks, with libjpeg-turbo at a reduced size.
enum CMYKDecoder {
    /// - Parameter factor: maps the size in the file to the factor by which the picture is shown smaller.
    /// - Returns: the size in the file, and the inks as libjpeg yields them: inverted if the file stores them inverted.
    static func inks(
        of source: Source, shrunk factor: (PixelSize) -> Double
    ) throws(Declined) -> (stored: PixelSize, samples: InterleavedSamples) {
        let file = try TurboDecoder.file(source)
        guard let handle = tjInitDecompress() else { throw Declined("libjpeg-turbo does not start") }
        defer { tjDestroy(handle) }
        var (width, height, subsampling, colours): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, file, UInt(file.count), &width, &height, &subsampling, &colours) == 0,
            [TJCS_CMYK, TJCS_YCCK].contains(where: { Int32($0.rawValue) == colours })
        else { throw Declined("no inks") }
        let stored = PixelSize(width: Int(width), height: Int(height))
        let wanted = factor(stored) / Plane.margin
        let shrink = [8, 4, 2].first { Double($0) <= wanted } ?? 1
        let size = PixelSize(
            width: (stored.width + shrink - 1) / shrink, height: (stored.height + shrink - 1) / shrink)
        guard size.pixelCount <= Plane.largestSampleCount / 4 else { throw Declined("too large to be whole in memory") }
        var samples = [UInt8](repeating: 0, count: size.pixelCount * 4)
        // `samples` holds rows of this size without gaps.
        let status = tjDecompress2(
            handle, file, UInt(file.count), &samples, Int32(size.width), 0, Int32(size.height),
            Int32(TJPF_CMYK.rawValue), TJFLAG_STOPONWARNING)
        guard status == 0 else { throw Declined(String(cString: tjGetErrorStr2(handle))) }
        return (stored, InterleavedSamples(samples, size: size, channelCount: 4))
    }
}
