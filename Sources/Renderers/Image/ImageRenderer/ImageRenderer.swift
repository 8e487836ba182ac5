public import Media
public import Rendering
public import Wire

/// The renderer of still images and drawings: libvips, whose loaders are named by the media type and never searched for.
///
/// One decode serves all targets of a job. Errors are `unsupported` (no such loader, or its module is not installed),
/// `tooLarge` (over a limit), `corrupt` (the loader gave up), `usage` (no such page).
public struct ImageRenderer: Renderer {
    private var modules = VipsModules()

    public init(as rendererClass: RendererClass) throws(Failure) {
        try VipsLibrary.start()
        guard rendererClass == .svg else { return }
        FontConfiguration.warm()
        EmbeddedPictures.warm()
    }

    public var build: [String] { VipsLibrary.versions }

    /// Loads the module of a media type that has one: HEIC, AVIF, JPEG XL.
    public mutating func prepare(for mediaType: MediaType) {
        if let module = ImageFormat(mediaType)?.module { modules.load(module) }
    }

    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let request = job.request
        guard let format = ImageFormat(request.mediaType) else {
            throw Failure(.unsupported, detail: "no loader for \(request.mediaType)")
        }
        if let module = format.module { try modules.require(module) }
        return try ImagePipeline(job, format: format).run()
    }
}
