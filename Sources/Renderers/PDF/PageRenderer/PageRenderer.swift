internal import CPoppler
internal import Formats
internal import Linux
public import Media
public import Rendering
public import Wire

/// The renderer of PDF pages: Poppler draws on white with cairo, or with Splash if cairo cannot draw a page's features.
///
/// The page tree leads to any page by its index; the pages before it are not read. Failures are `encrypted` (a password
/// is needed), `corrupt` (not a document, no pages, a page without an area), `usage` (no such page), `tooLarge` (out of
/// memory).
public struct PageRenderer: Renderer {
    /// Prepares Poppler's log and text conversion, which a confined child cannot do.
    public init(as rendererClass: RendererClass) throws(Failure) {
        PopplerLog.install()
        TextConversion.load()
    }

    /// Draws a built-in page, so that the libraries' tables are built before the fork.
    public mutating func warm() {
        // An error here would recur in a child, which reports it.
        try? WarmingPage.draw()
    }

    /// The versions of Poppler and cairo.
    public var build: [String] {
        ["poppler \(String(cString: poppler_get_version()))", "cairo \(String(cString: cairo_version_string()))"]
    }

    /// Does nothing: all documents need the same preparation.
    public mutating func prepare(for mediaType: MediaType) {}

    /// Draws the requested page into the job's targets, or reads its text, and returns the document's facts. Without
    /// either it returns only the facts.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        if job.wantsText { return try Self.text(for: job) }
        let skipsShortcuts = job.request.skipsShortcuts
        let parsed = skipsShortcuts ? nil : try ParsedDocument(job.source, for: job.request.pageIndex)
        if job.wantsPixels && !skipsShortcuts && parsed?.findings.embedsItsFonts != true { SystemFonts.beginLoading() }
        let document = skipsShortcuts ? try PDFDocument(asItIs: job.source) : try PDFDocument(job.source, parsed)
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

    /// Reads the text of the requested page into the job's memory.
    private static func text(for job: RenderJob) throws(Failure) -> RenderAnswer {
        let index = job.request.pageIndex
        let parsed = job.request.skipsShortcuts ? nil : try ParsedDocument(job.source, for: index)
        let document = try TextDocument(job.source, parsed)
        job.finish(.open)
        job.note(.frame, "page \(index + 1) of \(document.pageCount)")
        var text = try document.text(ofPageAt: index)
        if let parsed { text.notePictures(parsed.findings, parsed.objects) }
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        facts.pageCount = text.pageCount
        (facts.pageWidth, facts.pageHeight) = (text.width, text.height)
        let answer =
            if job.request.furtherPageCount == 0 {
                try job.textAnswer(text, facts)
            } else {
                try job.textAnswer(ofSeries: series(behind: text, in: document, parsed, for: job), facts)
            }
        job.finish(.decode)
        return answer
    }

    /// The messages of the requested page, and of the pages after it that need no other changes to the document, as far
    /// as space and time allow. An unreadable page ends the series: a request for that page returns the reason.
    private static func series(
        behind first: PageText, in document: borrowing TextDocument, _ parsed: ParsedDocument?, for job: RenderJob
    ) -> [[UInt8]] {
        var messages = [first.bytes]
        var objects = parsed?.objects
        if let parsed, !parsed.findings.changes.isEmpty { return messages }
        var byteCount = PageSeries.parts(of: messages).reduce(0) { $0 + $1.count }
        let end = Time.monotonic + furtherTime
        while messages.count <= job.request.furtherPageCount, Time.monotonic < end {
            let index = first.pageIndex + messages.count
            guard index < first.pageCount else { break }
            let findings = objects != nil ? Self.findings(index, &objects!) : nil
            guard objects == nil || findings?.changes.isEmpty == true, var page = try? document.text(ofPageAt: index)
            else { break }
            if let findings, let objects { page.notePictures(findings, objects) }
            let message = page.bytes
            // Its length precedes each message.
            byteCount += MemoryLayout<UInt32>.size + message.count
            guard byteCount <= job.request.textByteCount else { break }
            messages.append(message)
        }
        return messages
    }

    /// The findings about a page, which decide how it is read from the document as it is. If its objects cannot be
    /// read, no page is read differently.
    private static func findings(_ index: Int, _ objects: inout IndirectObjects) -> PageFindings? {
        try? PageFindings(for: index, &objects)
    }

    private static let furtherTime: Duration = .milliseconds(200)

    /// Smaller files contain no image that takes long to decode.
    private static let leastByteCount: Int64 = 64 << 10

    /// Draws a page, from a document with smaller images if its images can be decoded at a reduced size.
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
