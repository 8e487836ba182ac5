public import Formats
public import Media
public import Rendering
public import Wire

/// Recognises a file's type by its content: with the readers of `Formats`, and with libmagic if they do not know it.
public struct Sniffer {
    private let magic: Magic

    /// Loads libmagic's database.
    ///
    /// - Throws: `unavailable` if there is none.
    public init() throws(Failure) {
        magic = try Magic()
    }

    /// The media type, kind and size of a source and, if known, its encryption and the presence of video.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    public func sniff(_ source: Source) throws(Failure) -> Facts {
        try recognize(source).facts
    }

    private func recognize(_ source: Source) throws(Failure) -> Recognized {
        try FormatReaders.byContent(source, guesser: "libmagic \(Magic.version)") { magic.mediaType(of: $0) }
    }
}

extension Sniffer: Renderer {
    /// Loads libmagic's database.
    ///
    /// - Throws: `unavailable` if there is none.
    public init(as rendererClass: RendererClass) throws(Failure) {
        try self.init()
    }

    /// libmagic's version.
    public var build: [String] { ["libmagic \(Magic.version)"] }

    /// Does nothing: the database serves all types.
    public mutating func prepare(for mediaType: MediaType) {}

    /// Answers a job with the facts of its source, without pixels.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let recognized = try recognize(job.source)
        job.note(.type, recognized.text)
        job.finish(.recognize)
        return .rendered(recognized.facts, [])
    }
}
