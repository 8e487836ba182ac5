public import Media
public import Rendering
public import Wire

/// The renderer of still images and drawings, based on libvips. Only the media type selects the loader; libvips never
/// guesses.
///
/// One decode serves all targets of a job. Failures are `unsupported` (no such loader, or its module is not installed),
/// `tooLarge` (over a limit), `corrupt` (the loader failed), `usage` (no such page).
public struct ImageRenderer: Renderer {
    private var modules = VipsModules()

    /// Starts libvips; for drawings it also loads fonts and the loaders of embedded pictures.
    ///
    /// - Throws: `unavailable` if libvips does not start.
    public init(as rendererClass: RendererClass) throws(Failure) {
        try VipsLibrary.start()
        guard rendererClass == .svg else { return }
        FontConfiguration.warm()
        EmbeddedPictures.warm()
    }

    /// The versions of libvips and of its decoders.
    public var build: [String] { VipsLibrary.versions }

    /// Loads the module of a media type that has one: HEIC, AVIF, JPEG XL.
    public mutating func prepare(for mediaType: MediaType) {
        if let module = ImageFormat(mediaType)?.module { modules.load(module) }
    }

    /// Renders one job in a child that was forked for it.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let request = job.request
        guard let format = ImageFormat(request.mediaType) else {
            throw Failure(.unsupported, detail: "no loader for \(request.mediaType)")
        }
        if let module = format.module { try modules.require(module) }
        return try ImagePipeline(job, format: format).run()
    }
}
