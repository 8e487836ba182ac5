public import Media
public import Rendering
public import Wire

/// Renders videos, the cover art of audio files, and still pictures of formats that only FFmpeg decodes.
///
/// One decoded frame serves all targets of a job.
public struct VideoRenderer: Renderer {
    /// Sets up FFmpeg: its log, and the tables of the most common decoder.
    public init(as rendererClass: RendererClass) throws(Failure) { FFmpegLibrary.start() }

    /// The installed versions of FFmpeg and of its libraries.
    public var build: [String] { FFmpegLibrary.versions }

    /// Does nothing: a child builds the tables of further decoders in less time than a fork takes.
    public mutating func prepare(for mediaType: MediaType) {}

    /// Decodes the file of a job and fills its targets.
    ///
    /// - Throws: `unsupported` without a picture or a decoder for it, `encrypted`, `tooLarge` over a limit, `corrupt`
    ///   if FFmpeg decodes no frame.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        FFmpegLog.clear()
        if let format = StillFormat(job.request.mediaType) { return try StillPipeline(job, format: format).run() }
        return try VideoPipeline(job).run()
    }
}
