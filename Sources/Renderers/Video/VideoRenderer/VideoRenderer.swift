public import Media
public import Rendering
public import Wire

/// The renderer of moving pictures, of the cover art of audio files, and of still formats that only FFmpeg's decoders read.
///
/// One decoded frame serves all targets of a job. Errors are `unsupported` (no picture in it, or no decoder for it),
/// `encrypted`, `tooLarge` (over a limit), `corrupt` (FFmpeg gave up).
public struct VideoRenderer: Renderer {
    public init(as rendererClass: RendererClass) throws(Failure) { FFmpegLibrary.start() }

    public var build: [String] { FFmpegLibrary.versions }

    /// Nothing: one decoder's tables are built when the renderer starts, the others' take a child less than a fork.
    public mutating func prepare(for mediaType: MediaType) {}

    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        FFmpegLog.clear()
        if let format = StillFormat(job.request.mediaType) { return try StillPipeline(job, format: format).run() }
        return try VideoPipeline(job).run()
    }
}
