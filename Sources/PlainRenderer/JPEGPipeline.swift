internal import Media
internal import Rendering
internal import Wire

/// The way from a JPEG to its renditions: header, planes at a reduced size, resizing, colours, turning.
///
/// The planes are decoded once, as small as the largest rendition allows; smaller renditions are made from that one.
struct JPEGPipeline {
    private let job: RenderJob
    private let header: JPEGHeader
    private let profile: EmbeddedProfile
    private var storedSize: PixelSize { header.frame.size }

    init(_ job: RenderJob) throws(Declined) {
        self.job = job
        guard job.request.pageIndex == 0 else { throw Declined("a page of a picture") }
        header = try JPEGHeader(job.source)
        profile = try EmbeddedProfile(header.profile, componentCount: header.frame.components.count)
        let pixelCount = UInt64(storedSize.width) * UInt64(storedSize.height)
        guard pixelCount <= job.request.limits.streamedPixelCount else { throw Declined("too many pixels") }
    }

    func run() throws(Declined) -> RenderAnswer {
        guard job.wantsPixels else { return .rendered(facts, []) }
        let layouts = job.request.targets.map { $0.layout(of: header.orientation.turned(storedSize)) }
        let largest = layouts.max { $0.scaled.pixelCount < $1.scaled.pixelCount }!
        var planes = try JPEGPlanes.decoded(job.source, header, for: header.orientation.turned(largest.scaled))
        if largest.scaled.pixelCount <= Self.largestShared {
            planes = planes.map { $0.resized(to: header.orientation.turned(largest.scaled)) }
        }
        var all: [RenderedPixels] = []
        for (index, layout) in layouts.enumerated() { all.append(try write(planes, by: layout, toTarget: index)) }
        return .rendered(facts, all)
    }

    /// The pixels of a picture that are kept for smaller renditions, at most.
    private static let largestShared = 32 << 20

    private var facts: Facts {
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        let shown = header.orientation.turned(storedSize)
        facts.width = shown.width
        facts.height = shown.height
        facts.orientation = header.orientation == .upright ? nil : header.orientation.rawValue
        facts.hasAlpha = false
        facts.colorSpace = profile.spaceName
        return facts
    }

    /// Cuts a layout's part out of the planes, in its size, and writes it as sRGB, turned to be shown.
    private func write(_ planes: [Plane], by layout: Layout, toTarget index: Int) throws(Declined) -> RenderedPixels {
        let scaled = header.orientation.turned(layout.scaled)
        let crop = PixelArea(x: layout.cropX, y: layout.cropY, size: layout.cropped)
        let part = header.orientation.stored(crop, in: scaled)
        let cut = planes.map { $0.resized(to: scaled, keeping: part) }
        let colours = profile.converted(ComponentColours.rgb(cut), pixelCount: part.size.pixelCount)
        let pixels = RenderedPixels(width: layout.cropped.width, height: layout.cropped.height, channels: 3)
        job.write(pixels, toTarget: index) { buffer in
            header.orientation.turn(colours, of: part.size, into: buffer)
        }
        return pixels
    }
}
