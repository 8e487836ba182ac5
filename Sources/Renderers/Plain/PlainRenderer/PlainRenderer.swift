internal import CISAL
internal import CLCMS
public import Media
public import Rendering
public import Wire

/// The renderer of plain JPEGs and PNGs: it answers before libvips is loaded.
///
/// Plain is a sound JPEG of 8 bits and one or three components, coded by Huffman, sequential or progressive; and a sound PNG that
/// is neither interlaced nor animated, without a colour that stands for transparency, and of 16 bits only
/// where its colours are sRGB. Every other file is declined, and so is every damaged one: libvips then decides, and there is one answer to what a broken file shows.
public struct PlainRenderer: Renderer {
    public init(as rendererClass: RendererClass) throws(Failure) {}

    public var build: [String] {
        let version = cmsGetEncodedCMMversion()
        return [
            "libjpeg-turbo", "lcms2 \(version / 1000).\(version % 1000 / 10)",
            "isa-l \(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)",
        ]
    }

    public mutating func prepare(for mediaType: MediaType) {}

    /// - Throws: nothing of its own: what it cannot do it declines.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        if job.request.skipsShortcuts { return .declined("left to the library") }
        do throws(Declined) {
            return try PlainPipeline(job).run()
        } catch {
            return .declined(error.reason)
        }
    }
}
