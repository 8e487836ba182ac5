internal import Media
internal import Rendering
internal import Wire

/// One page, drawn into a job's targets.
///
/// Interpreting a page takes most of the time, so one drawing serves several targets. It has the largest scale, and
/// smaller renditions are averaged from it.
struct PageDrawing: ~Copyable {
    private let page: PDFPage
    private let job: RenderJob
    private let layouts: [Layout]
    private let areas: [SharedArea]
    private let splash: SplashPage?
    private let strips: ImageStrips?

    /// - Parameters:
    ///   - splash: the same page for Splash, if cairo cannot draw its features.
    ///   - strips: the strips that the page consists of, if it is a scan.
    init(of page: consuming PDFPage, by splash: SplashPage?, in strips: ImageStrips?, for job: RenderJob) {
        self.splash = splash
        self.strips = strips
        let pixels = page.size.pixels
        layouts = job.request.targets.map { $0.layout(of: pixels) }
        areas = SharedArea.covering(layouts)
        self.page = page
        self.job = job
    }

    /// The largest scale of all targets in pixels per point.
    var scale: Double {
        layouts.map { max(Double($0.scaled.width) / page.size.width, Double($0.scaled.height) / page.size.height) }
            .max() ?? 0
    }

    /// The whole page in pixels if one drawing serves all targets; otherwise `nil`.
    var onlySize: PixelSize? { areas.count == 1 ? areas[0].scaled : nil }

    /// Fills every target by its layout; returns the targets' pixels, in order, and whether the page is blank.
    func write() throws(Failure) -> (pixels: [RenderedPixels], isBlank: Bool?) {
        var blankness = Blankness()
        for area in areas {
            let shared = strips.map { area.finer(for: $0, of: page.size, layouts) } ?? area
            let surface = try PageSurface(of: page, by: splash, scaledTo: shared.scaled, cutTo: shared.area)
            for index in shared.layoutIndices { write(surface, toTarget: index) }
            blankness.include(surface)
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

/// Whether a page is blank, judged by its drawings.
private struct Blankness {
    private var hasMarks = false
    private var wasWhole = false

    /// `nil` if the drawings are white but do not cover the whole page.
    var isBlank: Bool? { hasMarks ? false : wasWhole ? true : nil }

    mutating func include(_ surface: borrowing PageSurface) {
        if hasMarks { return }
        hasMarks = !surface.isWhite
        if surface.area.size == surface.scaled { wasWhole = true }
    }
}

extension RenderedPixels {
    /// The pixels of the cropped page: without padding, which the host adds, and without alpha, since the page is on
    /// white.
    fileprivate init(_ layout: Layout) {
        self.init(width: layout.cropped.width, height: layout.cropped.height, channels: 3)
    }
}
