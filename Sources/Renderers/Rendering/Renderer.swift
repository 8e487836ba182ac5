public import Formats
package import Linux
public import Media
public import Wire

/// A decoding library behind one program: warmed once, then used by a new child for every file.
///
/// `init`, `prepare` and `warm` run in the renderer itself, which holds no media and has one thread. `render` runs in a
/// child that serves one task, sees nothing of other tasks, and ends after it.
public protocol Renderer {
    /// Initialises the library, with the parts that every file needs.
    ///
    /// - Parameter rendererClass: the class that this process serves; several classes may share the program.
    init(as rendererClass: RendererClass) throws(Failure)

    /// The libraries with their versions, one text each: `libvips 8.14.1`.
    ///
    /// An upgrade changes it; failures kept under another build are retried.
    var build: [String] { get }

    /// Warms the parts that many files need and the first file should not wait for: fonts, tables.
    ///
    /// Called once: before a drawing task that is not the first task, or after a moment without work.
    mutating func warm()

    /// Loads, before the fork, the parts that only some media types need. Never touches media.
    mutating func prepare(for mediaType: MediaType)

    /// Decodes the source once, writes every target's pixels, and returns the facts.
    func render(_ job: RenderJob) throws(Failure) -> RenderAnswer
}

extension Renderer {
    /// Does nothing: not every library benefits from warming.
    public mutating func warm() {}
}

/// A child's work: the request, the source's bytes, and the memory for pixels.
public struct RenderJob {
    /// The request, whose media type is certain at this point.
    public let request: RenderRequest
    /// The source's bytes.
    public let source: Source
    let memory: Mapping?
    /// `nil` if nobody asked for an explanation.
    let notebook: Notebook?

    /// Work on `memory`, which holds every target at its offset. A child gets it from its request; tests make their
    /// own.
    package init(request: RenderRequest, source: Source, memory: Mapping?, notebook: Notebook? = nil) {
        self.request = request
        self.source = source
        self.memory = memory
        self.notebook = notebook
    }

    /// Whether renditions are wanted. Otherwise only the facts are wanted, and the answer's list of pixels is empty.
    public var wantsPixels: Bool { !request.targets.isEmpty }

    /// Whether text is wanted, by `textAnswer`.
    public var wantsText: Bool { request.textByteCount > 0 }

    /// Writes a page's text to the task's memory, and returns the answer that announces it.
    public func textAnswer(_ text: PageText, _ facts: Facts) throws(Failure) -> RenderAnswer {
        try answer(withText: [text.bytes], facts)
    }

    /// Writes the texts of pages to the task's memory, and returns the answer that announces them.
    ///
    /// - Parameter messages: one for each page, of consecutive pages.
    public func textAnswer(ofSeries messages: [[UInt8]], _ facts: Facts) throws(Failure) -> RenderAnswer {
        try answer(withText: PageSeries.parts(of: messages), facts)
    }

    /// Writes a document's text to the task's memory, and returns the answer that announces it.
    public func textAnswer(_ text: DocumentText, _ facts: Facts) throws(Failure) -> RenderAnswer {
        try answer(withText: [text.bytes], facts)
    }

    private func answer(withText parts: [[UInt8]], _ facts: Facts) throws(Failure) -> RenderAnswer {
        let byteCount = parts.reduce(0) { $0 + $1.count }
        guard byteCount <= request.textByteCount, let memory else {
            throw Failure(.tooLarge, detail: "the text takes \(byteCount) bytes")
        }
        var rest = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<byteCount])
        Mapping.populate(rest)
        for part in parts {
            rest.copyBytes(from: part)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.count...])
        }
        return .text(facts, byteCount: byteCount)
    }

    /// Lends the memory of a target, cut to `pixels`, for the renderer to fill with rows from the top, without gaps.
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
