internal import Media
internal import Rendering
internal import Wire

/// Writes one picture into all targets of a job.
struct Renditions {
    private let job: RenderJob
    private let presentation: Presentation
    private let source: any PixelSource

    init(of frame: Frame, _ presentation: Presentation, for job: RenderJob) {
        let rasterizer = Rasterizer(frame, storedSize: presentation.storedSize, limits: job.request.limits)
        self.init(of: rasterizer, presentation, for: job)
    }

    init(of source: any PixelSource, _ presentation: Presentation, for job: RenderJob) {
        self.job = job
        self.presentation = presentation
        self.source = source
    }

    /// Fills the targets, and returns their sizes in order.
    ///
    /// The largest rendition is scaled from the source, smaller renditions from the largest.
    ///
    /// - Throws: the errors of `PixelSource.raster`.
    func write() throws(Failure) -> [RenderedPixels] {
        let layouts = job.request.targets.map { $0.layout(of: presentation.shownSize) }
        guard let largest = layouts.map(\.scaled).max(by: { $0.pixelCount < $1.pixelCount }) else { return [] }
        let stored = presentation.orientation.turned(largest)
        job.noteShrink(
            presentation.storedSize, decodedAs: source.decodedSize, to: stored,
            leavesOutField: source.leavesOutField)
        let base = try source.raster(stored)
        let channels = base.isOpaque ? 3 : 4
        let whole = base.with(channels: channels)
        for (index, layout) in layouts.enumerated() {
            let raster = whole.resized(to: presentation.orientation.turned(layout.scaled))
            write(raster, layout, toTarget: index)
        }
        return layouts.map { RenderedPixels(width: $0.cropped.width, height: $0.cropped.height, channels: channels) }
    }

    private func write(_ raster: Raster, _ layout: Layout, toTarget index: Int) {
        let pixels = RenderedPixels(
            width: layout.cropped.width, height: layout.cropped.height, channels: raster.channels)
        job.write(pixels, toTarget: index) { buffer in
            let area = PixelArea(x: layout.cropX, y: layout.cropY, size: layout.cropped)
            raster.write(area, shownBy: presentation.orientation, to: buffer)
        }
    }
}
