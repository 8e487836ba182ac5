internal import Media
internal import Rendering
internal import Wire

/// The pixels of one page, drawn into a job's targets.
///
/// Interpreting a page is what takes time, so one drawing serves several targets: it is made at the largest scale, and
/// the smaller renditions are averaged from it.
struct PageDrawing: ~Copyable {
    private let page: PDFPage
    private let job: RenderJob
    private let layouts: [Layout]
    private let areas: [SharedArea]
    private let splash: SplashPage?
    private let strips: PDFStrips?

    /// - Parameters:
    ///   - splash: the same page, where cairo cannot show all that is on it.
    ///   - strips: those that the page is made of, if it is.
    init(of page: consuming PDFPage, by splash: SplashPage?, in strips: PDFStrips?, for job: RenderJob) {
        self.splash = splash
        self.strips = strips
        let pixels = page.size.pixels
        layouts = job.request.targets.map { $0.layout(of: pixels) }
        areas = SharedArea.covering(layouts)
        self.page = page
        self.job = job
    }

    /// The most pixels a point that the page is drawn with.
    var scale: Double {
        layouts.map { max(Double($0.scaled.width) / page.size.width, Double($0.scaled.height) / page.size.height) }
            .max() ?? 0
    }

    /// The whole page in pixels, where it is drawn once for all targets.
    var onlySize: PixelSize? { areas.count == 1 ? areas[0].scaled : nil }

    /// Fills every target by its layout; returns what was written, in their order, and whether the page is blank.
    func write() throws(Failure) -> (pixels: [RenderedPixels], isBlank: Bool?) {
        var blankness = Blankness()
        for area in areas {
            let shared = strips.map { area.finer(for: $0, of: page.size, layouts) } ?? area
            let surface = try PageSurface(of: page, by: splash, scaledTo: shared.scaled, cutTo: shared.area)
            for index in shared.layoutIndices { write(surface, toTarget: index) }
            blankness.look(at: surface)
        }
        return (layouts.map { RenderedPixels($0) }, blankness.isBlank)
    }

    private func write(_ surface: borrowing PageSurface, toTarget index: Int) {
        let layout = layouts[index]
        job.write(RenderedPixels(layout), toTarget: index) { pixels in
            let rows = pixels.bindMemory(to: UInt8.self).baseAddress!
            if layout.scaled == surface.scaled {
                surface.copy(layout.crop, to: rows)
            } else {
                surface.average(layout, to: rows)
            }
        }
    }
}

/// Whether a page shows anything, as far as its drawings tell.
private struct Blankness {
    private var hasMarks = false
    private var wasWhole = false

    /// `nil` where nothing was seen, but not all of the page either.
    var isBlank: Bool? { hasMarks ? false : wasWhole ? true : nil }

    mutating func look(at surface: borrowing PageSurface) {
        if hasMarks { return }
        hasMarks = !surface.isWhite
        if surface.area.size == surface.scaled { wasWhole = true }
    }
}

extension RenderedPixels {
    /// The canvas is the host's to pad; a page on white needs no alpha.
    fileprivate init(_ layout: Layout) {
        self.init(width: layout.cropped.width, height: layout.cropped.height, channels: 3)
    }
}
