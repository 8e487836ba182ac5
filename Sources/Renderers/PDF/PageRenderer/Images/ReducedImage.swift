internal import Formats
internal import Media
internal import PlainRenderer

/// An image XObject decoded at about the size at which it is drawn, to replace the document's own image.
///
/// The entries that give the samples their meaning stay: colour space, decode array, masks.
struct ReducedImage {
    /// The object's dictionary and samples: the text between `obj` and `endobj`.
    let body: [UInt8]

    /// The pixels on which an image is drawn.
    enum Area {
        /// The sides do not lie on pixel edges.
        case about(width: Double, height: Double)
        /// Whole pixels: an image with the same number of samples is drawn without resampling.
        case exactly(PixelSize)
    }

    /// The number of samples per pixel and side for `.about`, when drawing resamples the image again. With 1.5 a
    /// scanned page comes closest to a drawing from the full image (SSIM 0.974); 2 (SSIM 0.968) and 1.25 are worse.
    fileprivate static let margin = 1.5
    private static let maximumEncodedLength = 256 << 20

    /// - Parameters:
    ///   - area: the pixels on which the image is drawn.
    ///   - source: the document.
    ///   - threadCount: the number of threads that may decode the image.
    /// - Throws: if the image cannot be reduced, or is drawn nearly at full size.
    init(
        _ stream: DrawnImages.Stream, drawnOn area: Area, in source: Source,
        threadCount: Int, _ objects: inout IndirectObjects
    ) throws(NotReducible) {
        var entries = stream.entries
        guard let width = entries["/Width"]?.integer, let height = entries["/Height"]?.integer,
            ["/ImageMask", "/DecodeParms", "/SMaskInData", "/F"].allSatisfy({ entries[$0] == nil }),
            try objects.resolvedForReduction(entries["/Mask"])?.elements == nil,
            // An image with a matte and its mask must have the same size (11.6.5.3).
            try objects.resolvedForReduction(entries["/SMask"])?.dictionary?["/Matte"] == nil
        else { throw NotReducible("an unusual image") }
        let shown = area.shown
        let stored = PixelSize(width: width, height: height)
        guard min(Double(width) / Double(shown.width), Double(height) / Double(shown.height)) >= 2 * Self.margin else {
            throw NotReducible("an image that is drawn nearly at full size")
        }
        let channelCount = try ColourSpace.componentCount(of: entries["/ColorSpace"], in: &objects)
        let samples: InterleavedSamples
        switch Self.filter(of: entries) {
        case "/DCTDecode":
            guard let channelCount, entries["/BitsPerComponent"]?.integer == 8 else {
                throw NotReducible("unusual colours")
            }
            samples = try Self.jpeg(source, stream.data, stored, area, channelCount, threadCount)
        case "/JPXDecode":
            let image = try Self.jpx(source, stream.data, shown)
            let usesOwnSpace = entries["/ColorSpace"] == nil
            guard image.storedSize == stored, entries["/Decode"] == nil else {
                throw NotReducible("another size than stated, or /Decode")
            }
            if usesOwnSpace { entries["/ColorSpace"] = try Self.colourSpace(of: image) }
            // The indices of an Indexed space have no mean.
            guard usesOwnSpace || channelCount == image.channelCount else { throw NotReducible("unusual colours") }
            samples = InterleavedSamples(image.samples, size: image.size, channelCount: image.channelCount)
                .reduced(to: area.mostSamples, threadCount: threadCount)
        default: throw NotReducible("another filter")
        }
        body = Self.body(entries, samples)
    }

    /// The name of the only filter; `nil` if there is none or more than one.
    private static func filter(of entries: PDFDictionary) -> String? {
        guard let filter = entries["/Filter"] else { return nil }
        let names = filter.elements ?? [filter]
        return names.count == 1 ? names[0].name : nil
    }

    private static func jpx(
        _ source: Source, _ data: Range<Int64>, _ shown: PixelSize
    ) throws(NotReducible) -> ReducedJPX {
        guard data.count <= maximumEncodedLength else { throw NotReducible("\(data.count) bytes") }
        let file = try NotReducible.unless { () throws(Failure) in
            try source.bytes(at: data.lowerBound, count: data.count)
        }
        return try ReducedJPX(file, shown: shown)
    }

    private static func jpeg(
        _ source: Source, _ data: Range<Int64>, _ stored: PixelSize, _ area: Area, _ channelCount: Int,
        _ threadCount: Int
    ) throws(NotReducible) -> InterleavedSamples {
        do throws(Declined) {
            let image = try ReducedJPEG(
                source, data, shown: area.shown, atMost: area.mostSamples, channelCount: channelCount,
                threadCount: threadCount)
            guard image.storedSize == stored else { throw Declined("another size than stated") }
            return image.samples
        } catch {
            throw NotReducible(error.reason)
        }
    }

    /// The colour space that a JPEG 2000 image names itself (7.4.9).
    private static func colourSpace(of image: ReducedJPX) throws(NotReducible) -> PDFObject {
        switch (image.space, image.channelCount) {
        case (.rgb, 3): PDFObject("/DeviceRGB")
        case (.gray, 1): PDFObject("/DeviceGray")
        default: throw NotReducible("unusual colours")
        }
    }

    private static func body(_ entries: PDFDictionary, _ samples: InterleavedSamples) -> [UInt8] {
        var entries = entries
        entries["/BitsPerComponent"] = PDFObject("8")
        entries["/Width"] = PDFObject("\(samples.size.width)")
        entries["/Height"] = PDFObject("\(samples.size.height)")
        return entries.stream(samples.bytes)
    }
}

extension ReducedImage.Area {
    /// The pixels on which the image is drawn, rounded up.
    fileprivate var shown: PixelSize {
        switch self {
        case .about(let width, let height): PixelSize(width: Self.side(width), height: Self.side(height))
        case .exactly(let size): size
        }
    }

    /// The maximum number of samples of the reduced image.
    fileprivate var mostSamples: PixelSize {
        switch self {
        case .about:
            PixelSize(
                width: Int(Double(shown.width) * ReducedImage.margin),
                height: Int(Double(shown.height) * ReducedImage.margin))
        case .exactly(let size): size
        }
    }

    private static func side(_ length: Double) -> Int { length < 1e6 ? max(1, Int(length.rounded(.up))) : 1_000_000 }
}
