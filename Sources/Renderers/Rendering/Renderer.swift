public import Formats
package import Linux
public import Media
public import Wire

/// A decoding library behind one program: warmed once, then used by a fresh child for every file.
///
/// `init`, `prepare` and `warm` run in the renderer itself, which holds no media and has one thread; `render` runs in a forked
/// child that serves this job alone, sees nothing of other jobs, and ends after it.
public protocol Renderer {
    /// Initialises the library, with what every file needs.
    ///
    /// - Parameter rendererClass: which of the classes that share the program this process serves.
    init(as rendererClass: RendererClass) throws(Failure)

    /// The libraries and their versions, one text each: `libvips 8.14.1`. An upgrade changes it, and failures that were
    /// kept under another build are tried again.
    var build: [String] { get }

    /// Warms what many files need and a first one should not wait for: fonts, tables. Called once, when the first job is
    /// on its way or none has come for a moment.
    mutating func warm()

    /// Loads, before the fork, what only some media types need. Never touches media.
    mutating func prepare(for mediaType: MediaType)

    /// Decodes the source once, writes every target's pixels, and returns the facts.
    func render(_ job: RenderJob) throws(Failure) -> RenderAnswer
}

extension Renderer {
    public mutating func warm() {}
}

/// What a child works on: the request, the source's bytes, and the memory for pixels.
public struct RenderJob {
    public let request: RenderRequest
    public let source: Source
    let memory: Mapping?
    /// `nil` where nobody asked.
    let notebook: Notebook?

    /// A job over `memory` that holds every target at its offset. Children get theirs from their request; tests make them.
    package init(request: RenderRequest, source: Source, memory: Mapping?, notebook: Notebook? = nil) {
        self.request = request
        self.source = source
        self.memory = memory
        self.notebook = notebook
    }

    /// What an empty `RenderedPixels` list goes with: a job that only asks for facts.
    public var wantsPixels: Bool { !request.targets.isEmpty }

    /// Lends the memory of a target, cut to `pixels`, for the renderer to fill: rows from the top, without gaps.
    public func write<Thrown: Error>(
        _ pixels: RenderedPixels, toTarget index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Thrown) -> Void
    ) throws(Thrown) {
        let target = request.targets[index]
        precondition(pixels.byteCount <= target.byteCount, "the host sized the memory for the box")
        let part = UnsafeMutableRawBufferPointer(
            rebasing: memory!.bytes[target.offset..<target.offset + pixels.byteCount])
        Mapping.populate(part)
        try body(part)
    }
}
