internal import CVips
internal import Media
internal import Rendering
internal import Wire

/// The way from a file to its renditions: open, check, load small, resize, colour, turn, cut, write.
///
/// Nothing is decoded before the header has passed the limits. The pixels of the largest rendition are made from the
/// file; smaller ones are made from those.
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
        let facts = header.facts(of: request.mediaType, byteCount: job.source.byteCount, format: format)
        guard job.wantsPixels else { return .rendered(facts, []) }
        let layouts = request.targets.map { $0.layout(of: header.shownSize) }
        do throws(Failure) {
            return .rendered(facts, try Drawing(of: job, format: format, header: header).write(layouts))
        } catch where error.code == .corrupt {
            return .rendered(facts, try Drawing(damaged: job, format: format, header: header).write(layouts))
        }
    }

    /// Reads the header of the page that was asked for, and holds it against the limits.
    private func checkedHeader() throws(Failure) -> PictureHeader {
        let first = try header(ofPage: nil)
        guard request.pageIndex > 0 else { return first }
        let count = format.hasPages ? first.pageCount : 1
        guard request.pageIndex < count else {
            throw Failure(
                .usage, message: "There is no page \(request.pageIndex + 1): the file has \(count).",
                detail: "page index \(request.pageIndex) of \(count)")
        }
        return try header(ofPage: request.pageIndex)
    }

    private func header(ofPage pageIndex: Int?) throws(Failure) -> PictureHeader {
        var options = LoadOptions()
        options.damage = .isShown
        options.pageIndex = pageIndex
        let header = PictureHeader(of: try format.open(job.source, options), format: format)
        try PixelLimit(for: format, isInterlaced: header.isInterlaced).check(header.storedSize, against: request.limits)
        return header
    }
}

extension ImageFormat {
    /// The picture, its pixels still in the file; rows will be asked for from the top, once.
    func open(_ source: Source, _ options: LoadOptions) throws(Failure) -> VipsPicture {
        let stream = try SourceStream(source)
        let operation = VipsOperation(loader).with("source", .source(stream)).with("access", .integer(sequentialAccess))
        return try options.applied(to: operation).output()
    }

    /// VIPS_ACCESS_SEQUENTIAL: nothing is kept of rows that went by.
    private var sequentialAccess: Int { 1 }
}
