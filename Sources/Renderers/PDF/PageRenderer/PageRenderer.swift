internal import CPoppler
internal import Formats
internal import Linux
public import Media
public import Rendering
public import Wire

/// The renderer of pages: Poppler, drawing on white with cairo, and what cairo cannot show with Splash.
///
/// Any page by its index, straight from the page tree: the pages before it are not read. Errors are `encrypted` (needs a
/// password), `corrupt` (no document, no pages, a page without an area), `usage` (no such page), `tooLarge` (no memory).
public struct PageRenderer: Renderer {
    public init(as rendererClass: RendererClass) throws(Failure) {
        PopplerLog.install()
        TextConversion.load()
    }

    public mutating func warm() {
        // What fails here fails in the child that needs it, with its reason.
        try? WarmingPage.draw()
    }

    public var build: [String] {
        ["poppler \(String(cString: poppler_get_version()))", "cairo \(String(cString: cairo_version_string()))"]
    }

    /// Nothing: every document needs the same.
    public mutating func prepare(for mediaType: MediaType) {}

    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let skipsShortcuts = job.request.skipsShortcuts
        let tables = skipsShortcuts ? nil : try PDFTables(job.source, for: job.request.pageIndex)
        if job.wantsPixels && !skipsShortcuts && tables?.findings.bringsItsFonts != true { SystemFonts.beginLoading() }
        let document = skipsShortcuts ? try PDFDocument(asItIs: job.source) : try PDFDocument(job.source, tables)
        let page = try document.page(at: job.request.pageIndex)
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        facts.pageCount = document.pageCount
        facts.pageWidth = page.size.width
        facts.pageHeight = page.size.height
        facts.title = document.title
        job.finish(.open)
        let size = page.size
        job.note(
            .decoder,
            document.cairoGap.map { "\(build[0]), Splash, since cairo cannot show \($0.rawValue)" }
                ?? build.joined(separator: ", "))
        job.note(
            .orientation,
            "\(size.width) × \(size.height) points as shown: the crop box, turned as the page says (/Rotate)")
        job.note(.frame, "page \(job.request.pageIndex + 1) of \(document.pageCount)")
        job.note(.colour, "drawn in sRGB on white, annotations and form fields included")
        guard job.wantsPixels else { return .rendered(facts, []) }
        let (pixels, isBlank) = try Self.drawn(page, of: document, for: job)
        facts.isBlank = isBlank
        job.finish(.draw)
        if let first = pixels.first {
            job.note(
                .shrink, "drawn for \(first.width) × \(first.height) pixels; smaller renditions are averaged from it")
        }
        return .rendered(facts, pixels)
    }

    /// Smaller files hold no picture that costs much.
    private static let leastByteCount: Int64 = 64 << 10

    /// Draws a page, from smaller pictures where it has large ones that can be decoded at a reduced size.
    private static func drawn(
        _ page: consuming PDFPage, of document: borrowing PDFDocument, for job: RenderJob
    ) throws(Failure) -> (pixels: [RenderedPixels], isBlank: Bool?) {
        let (source, index) = (job.source, job.request.pageIndex)
        let splash = try document.splashPage(at: index, source)
        let drawing = PageDrawing(of: page, by: splash, in: document.strips, for: job)
        guard source.byteCount >= leastByteCount,
            let lighter = document.lighter(
                source, scale: drawing.scale, drawn: drawing.onlySize, threadCount: job.request.threadCount)
        else { return try drawing.write() }
        return try PageDrawing(
            of: try lighter.page(at: index), by: try lighter.splashPage(at: index, source), in: nil, for: job
        ).write()
    }
}
