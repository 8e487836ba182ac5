internal import Formats
internal import Media
internal import Rendering
internal import Wire

/// Renders a plain file: header, planes at a reduced size, resizing, colours, orientation.
///
/// It decodes the planes once, as small as the largest rendition allows, and makes smaller renditions from the largest.
struct PlainPipeline {
    private let job: RenderJob
    private let picture: any PlainPicture

    init(_ job: RenderJob) throws(Declined) {
        self.job = job
        guard job.request.pageIndex == 0 else { throw Declined("a page of a picture") }
        switch job.request.mediaType {
        case .jpeg: picture = try JPEGPicture(job.source)
        case .png: picture = try PNGPicture(job.source)
        default: throw Declined("not a plain type: \(job.request.mediaType)")
        }
        let pixelCount = UInt64(picture.size.width) * UInt64(picture.size.height)
        guard pixelCount <= job.request.limits.streamedPixelCount else { throw Declined("too many pixels") }
        job.finish(.open)
    }

    func run() throws(Declined) -> RenderAnswer {
        guard job.wantsPixels else { return .rendered(facts, []) }
        let layouts = job.request.targets.map { $0.layout(of: picture.orientation.turned(picture.size)) }
        let largest = layouts.max { $0.scaled.pixelCount < $1.scaled.pixelCount }!
        let decoded = try picture.planes(
            for: picture.orientation.turned(largest.scaled), threadCount: threadCount)
        job.finish(.decode)
        explain(decoded, largest)
        var planes = decoded.planes
        if largest.scaled.pixelCount <= Self.largestShared {
            planes = resized(planes, to: picture.orientation.turned(largest.scaled))
        }
        var all: [RenderedPixels] = []
        for (index, layout) in layouts.enumerated() { all.append(try write(planes, by: layout, toTarget: index)) }
        job.finish(.draw)
        return .rendered(facts, all)
    }

    private func explain(_ decoded: DecodedPlanes, _ layout: Layout) {
        let orientation = picture.orientation
        let plane = decoded.planes[0]
        job.note(.decoder, decoded.decoder)
        job.note(
            .orientation,
            orientation == .upright ? "upright" : "\(orientation.words), by EXIF orientation \(orientation.rawValue)")
        job.note(.colour, "\(picture.profile.spaceName), \(picture.profile.wayToScreen)")
        job.note(
            .shrink,
            "\(picture.size) decoded as \(plane.width)×\(plane.height), then scaled to \(layout.scaled) as shown")
        let limit = job.request.limits.streamedPixelCount
        job.note(.limits, "\(picture.size.pixelCount) of \(limit) pixels; \(threadCount) threads for scaling")
    }

    private var threadCount: Int { job.request.threadCount }

    /// The maximum number of pixels kept at the largest rendition's size for smaller renditions.
    private static let largestShared = 32 << 20

    private var facts: Facts {
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        let shown = picture.orientation.turned(picture.size)
        facts.width = shown.width
        facts.height = shown.height
        facts.orientation = picture.orientation == .upright ? nil : picture.orientation.rawValue
        facts.hasAlpha = picture.hasAlpha
        facts.colorSpace = picture.profile.spaceName
        return facts
    }

    /// Resizes the planes by a layout, keeps its crop, and writes it as sRGB, turned by the orientation.
    private func write(_ planes: [Plane], by layout: Layout, toTarget index: Int) throws(Declined) -> RenderedPixels {
        let scaled = picture.orientation.turned(layout.scaled)
        let crop = PixelArea(x: layout.cropX, y: layout.cropY, size: layout.cropped)
        let part = picture.orientation.stored(crop, in: scaled)
        var cut = resized(planes, to: scaled, keeping: part)
        let alpha = picture.hasAlpha ? cut.removeLast() : nil
        var colours = picture.profile.converted(picture.kind.rgb(cut), pixelCount: part.size.pixelCount)
        if let alpha { colours = ComponentColours.rgba(colours, alpha) }
        let channels = alpha == nil ? 3 : 4
        let pixels = RenderedPixels(width: layout.cropped.width, height: layout.cropped.height, channels: channels)
        job.write(pixels, toTarget: index) { buffer in
            picture.orientation.turn(colours, of: part.size, channels: channels, into: buffer)
        }
        return pixels
    }

    private func resized(_ planes: [Plane], to size: PixelSize, keeping area: PixelArea? = nil) -> [Plane] {
        Plane.resized(planes, to: size, keeping: area, hasAlpha: picture.hasAlpha, threadCount: threadCount)
    }
}
