internal import CISAL
internal import CLCMS
public import Media
public import Rendering
public import Wire

/// The renderer of plain JPEGs and PNGs, which answers without libvips and so starts in a few milliseconds.
///
/// A plain JPEG has 8 bits, one or three components and Huffman coding, sequential or progressive. A plain PNG is
/// neither interlaced nor animated, and has no colour that stands for transparency; with 16 bits its colours are sRGB.
/// It declines every other file, and every damaged file, so that only libvips decides what a damaged file shows.
public struct PlainRenderer: Renderer {
    /// A renderer that links no media library except libjpeg-turbo, lcms2 and ISA-L.
    public init(as rendererClass: RendererClass) throws(Failure) {}

    /// The libraries and versions on which renditions depend.
    public var build: [String] {
        let version = cmsGetEncodedCMMversion()
        return [
            "libjpeg-turbo", "lcms2 \(version / 1000).\(version % 1000 / 10)",
            "isa-l \(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)",
        ]
    }

    /// Does nothing: the libraries load within the program.
    public mutating func prepare(for mediaType: MediaType) {}

    /// - Throws: never; it declines unsupported files.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        if job.request.skipsShortcuts { return .declined("left to the library") }
        do throws(Declined) {
            return try PlainPipeline(job).run()
        } catch {
            return .declined(error.reason)
        }
    }
}
