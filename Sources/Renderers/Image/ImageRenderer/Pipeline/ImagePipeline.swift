internal import CVips
internal import Formats
internal import Media
internal import Rendering
internal import Wire

/// Renders a file in steps: open, check the limits, load at a reduced size, resize, convert colours, turn, crop, write.
///
/// No pixel is decoded before the header has passed the limits. It makes the largest rendition from the file, and
/// smaller ones from the largest.
struct ImagePipeline {
    private let job: RenderJob
    private let format: ImageFormat
    private var request: RenderRequest { job.request }

    init(_ job: RenderJob, format: ImageFormat) {
        self.job = job
        self.format = format
    }

    func run() throws(Failure) -> RenderAnswer {
        let header = try checkedHeader()
        job.finish(.open)
        explain(header)
        let facts = header.facts(of: request.mediaType, byteCount: job.source.byteCount, format: format)
        guard job.wantsPixels else { return .rendered(facts, []) }
        let layouts = request.targets.map { $0.layout(of: header.shownSize) }
        do throws(Failure) {
            let pixels = try PictureRendering(of: job, format: format, header: header).write(layouts)
            job.finish(.draw)
            return .rendered(facts, pixels)
        } catch  where error.code == .corrupt {
            job.note(.decoder, "damaged (\(error.detail)): decoded again for what is left of it")
            let pixels = try PictureRendering(damaged: job, format: format, header: header).write(layouts)
            job.finish(.draw)
            return .rendered(facts, pixels)
        }
    }

    private func explain(_ header: PictureHeader) {
        job.note(.decoder, "libvips: \(format.loader)\(header.isInterlaced ? ", interlaced or progressive" : "")")
        job.note(.orientation, explanation(of: header))
        job.note(.colour, header.wayToScreen)
        if header.pageCount > 1 {
            job.note(.frame, "\(format.hasPages ? "page" : "frame") \(request.pageIndex + 1) of \(header.pageCount)")
        }
        let limits = request.limits
        job.note(
            .limits,
            "\(header.storedSize.pixelCount) pixels, of \(limits.streamedPixelCount) in strips or "
                + "\(limits.wholePixelCount) whole in memory")
    }

    private func explanation(of header: PictureHeader) -> String {
        let orientation = header.orientation
        if header.isFromBelow { return "rows from bottom to top, as in every portable float map" }
        guard format.appliesOrientation else {
            return "as the container turns it (its decoder did); EXIF is ignored"
        }
        return orientation == .upright ? "upright" : "\(orientation.words), by EXIF orientation \(orientation.rawValue)"
    }

    /// Reads the header of the requested page, and checks it against the limits.
    private func checkedHeader() throws(Failure) -> PictureHeader {
        let first = try header(ofPage: nil)
        guard request.pageIndex > 0 else { return first }
        let count = format.hasPages ? first.pageCount : 1
        guard request.pageIndex < count else {
            throw Failure(
                .usage, message: "Page \(request.pageIndex + 1) does not exist: the file has \(count).",
                detail: "page index \(request.pageIndex) of \(count)")
        }
        return try header(ofPage: request.pageIndex)
    }

    private func header(ofPage pageIndex: Int?) throws(Failure) -> PictureHeader {
        var options = LoadOptions()
        options.damage = .isShown
        options.pageIndex = pageIndex
        let stated = try statedSize()
        if let stated {
            try PixelLimit(for: format, isInterlaced: false).check(stated, against: request.limits)
            options.shrink = .scale(Self.glance(at: stated))
        }
        let header = PictureHeader(
            of: try format.open(job.source, options), statedSize: stated, in: job.source, format: format)
        try PixelLimit(for: format, isInterlaced: header.isInterlaced).check(header.storedSize, against: request.limits)
        if format.kind == .svg { try refuseBoundless(header.storedSize) }
        return header
    }

    /// libvips reports 1 × 1 for a drawing with more than ten million pixels on a side. Such a drawing cannot be scaled
    /// down either, since libvips' smallest scale is a thousandth.
    private func refuseBoundless(_ size: PixelSize) throws(Failure) {
        guard size.pixelCount == 1 else { return }
        var options = LoadOptions()
        options.shrink = .scale(0.001)
        // A drawing of one to a few hundred pixels has no pixels left at this scale, and cannot be opened.
        guard let thousandth = try? format.open(job.source, options).size, thousandth.pixelCount > 1 else { return }
        throw Failure(
            .tooLarge, message: "The drawing is more than 10,000,000 pixels wide or high.",
            detail: "\(thousandth) at a thousandth of its size")
    }

    /// The size of a picture whose loader allocates memory for all pixels when it opens the file; read before that.
    private func statedSize() throws(Failure) -> PixelSize? {
        format.kind == .webp ? try WebPHeader(job.source).size : nil
    }

    /// A scale at which such a picture is cheap to open and no side vanishes.
    private static func glance(at size: PixelSize) -> Double {
        min(1, max(64 / Double(max(size.width, size.height)), 1 / Double(max(1, min(size.width, size.height)))))
    }
}

extension ImageFormat {
    /// The picture, not yet decoded; its rows are read once, from the top.
    func open(_ source: Source, _ options: LoadOptions) throws(Failure) -> VipsPicture {
        let stream = try SourceStream(source)
        let operation = VipsOperation(loader).with("source", .source(stream)).with("access", .integer(sequentialAccess))
        return try options.applied(to: operation).output()
    }

    /// `VIPS_ACCESS_SEQUENTIAL`: rows are not kept after they have been read.
    private var sequentialAccess: Int { 1 }
}
