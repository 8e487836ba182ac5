internal import Formats
internal import Media
internal import PlainRenderer
internal import Rendering

/// A picture of a page, decoded no larger than it is drawn: an object that takes the place of the document's own.
///
/// All that says what the samples mean stays (colour space, decode array, masks): only there are fewer of them.
struct ReducedPicture {
    /// The object's dictionary and its samples, without `obj` and `endobj`.
    let written: [UInt8]

    /// What a picture is drawn on, in pixels.
    enum Area {
        /// Somewhere on the page, between pixels.
        case about(width: Double, height: Double)
        /// On so many whole pixels: given as many samples, it is drawn as it is.
        case exactly(PixelSize)
    }

    /// How many times as many samples as pixels it is drawn on, a side, where it lies between pixels: drawing it shrinks it
    /// once more. With 2 a scan's page comes less close to a full decode (a SSIM of 0.968 instead of 0.974), with 1.25 too.
    fileprivate static let margin = 1.5
    private static let longestPicture = 256 << 20

    /// - Parameters:
    ///   - area: what it is drawn on.
    ///   - source: the document's bytes.
    ///   - threadCount: how many threads may work on it.
    /// - Throws: where it cannot be reduced, or need not.
    init(
        _ stream: DrawnPictures.Stream, drawnOn area: Area, in source: Source,
        threadCount: Int, _ objects: inout PDFObjects
    ) throws(NotPlain) {
        var entries = stream.entries
        guard let width = entries["/Width"]?.integer, let height = entries["/Height"]?.integer,
            ["/ImageMask", "/DecodeParms", "/SMaskInData", "/F"].allSatisfy({ entries[$0] == nil }),
            try objects.plain(entries["/Mask"])?.elements == nil,
            // Its mask has to be of the same size then (11.6.5.3).
            try objects.plain(entries["/SMask"])?.dictionary?["/Matte"] == nil
        else { throw NotPlain("a picture of an unusual kind") }
        let shown = area.shown
        let stored = PixelSize(width: width, height: height)
        guard min(Double(width) / Double(shown.width), Double(height) / Double(shown.height)) >= 2 * Self.margin else {
            throw NotPlain("a picture that is drawn nearly as large as it is")
        }
        let channelCount = try PictureColours.componentCount(of: entries["/ColorSpace"], in: &objects)
        let samples: InterleavedSamples
        switch Self.filter(of: entries) {
        case "/DCTDecode":
            guard let channelCount, entries["/BitsPerComponent"]?.integer == 8 else {
                throw NotPlain("unusual colours")
            }
            samples = try Self.jpeg(source, stream.data, stored, area, channelCount, threadCount)
        case "/JPXDecode":
            let picture = try Self.jpx(source, stream.data, shown)
            let isSpaceItsOwn = entries["/ColorSpace"] == nil
            guard picture.storedSize == stored, entries["/Decode"] == nil else {
                throw NotPlain("another size than stated")
            }
            if isSpaceItsOwn { entries["/ColorSpace"] = try Self.colours(of: picture) }
            // Places in a palette have no mean.
            guard isSpaceItsOwn || channelCount == picture.channelCount else { throw NotPlain("unusual colours") }
            samples = InterleavedSamples(picture.samples, size: picture.size, channelCount: picture.channelCount)
                .reduced(to: area.mostSamples, threadCount: threadCount)
        default: throw NotPlain("another filter")
        }
        written = Self.object(entries, samples)
    }

    /// The only filter; `nil` where there are none or several.
    private static func filter(of entries: PDFDictionary) -> String? {
        guard let filter = entries["/Filter"] else { return nil }
        let names = filter.elements ?? [filter]
        return names.count == 1 ? names[0].name : nil
    }

    private static func jpx(
        _ source: Source, _ data: Range<Int64>, _ shown: PixelSize
    ) throws(NotPlain) -> ReducedJPX {
        guard data.count <= longestPicture else { throw NotPlain("\(data.count) bytes") }
        let file = try NotPlain.unless { () throws(Failure) in
            try source.bytes(at: data.lowerBound, count: data.count)
        }
        return try ReducedJPX(file, shown: shown)
    }

    private static func jpeg(
        _ source: Source, _ data: Range<Int64>, _ stored: PixelSize, _ area: Area, _ channelCount: Int,
        _ threadCount: Int
    ) throws(NotPlain) -> InterleavedSamples {
        do throws(Declined) {
            let picture = try ReducedJPEG(
                source, data, shown: area.shown, atMost: area.mostSamples, channelCount: channelCount,
                threadCount: threadCount)
            guard picture.storedSize == stored else { throw Declined("another size than stated") }
            return picture.samples
        } catch {
            throw NotPlain(error.reason)
        }
    }

    /// A JPEG 2000 picture may say itself what its colours are (7.4.9).
    private static func colours(of picture: ReducedJPX) throws(NotPlain) -> PDFPiece {
        switch (picture.space, picture.channelCount) {
        case (.rgb, 3): PDFPiece("/DeviceRGB")
        case (.gray, 1): PDFPiece("/DeviceGray")
        default: throw NotPlain("unusual colours")
        }
    }

    private static func object(_ entries: PDFDictionary, _ samples: InterleavedSamples) -> [UInt8] {
        var entries = entries
        entries["/BitsPerComponent"] = PDFPiece("8")
        entries["/Width"] = PDFPiece("\(samples.size.width)")
        entries["/Height"] = PDFPiece("\(samples.size.height)")
        return entries.stream(samples.bytes)
    }
}

extension ReducedPicture.Area {
    fileprivate var shown: PixelSize {
        switch self {
        case .about(let width, let height): PixelSize(width: Self.side(width), height: Self.side(height))
        case .exactly(let size): size
        }
    }

    fileprivate var mostSamples: PixelSize {
        switch self {
        case .about:
            PixelSize(
                width: Int(Double(shown.width) * ReducedPicture.margin),
                height: Int(Double(shown.height) * ReducedPicture.margin))
        case .exactly(let size): size
        }
    }

    private static func side(_ length: Double) -> Int { length < 1e6 ? max(1, Int(length.rounded(.up))) : 1_000_000 }
}
