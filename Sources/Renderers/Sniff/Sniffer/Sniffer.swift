public import Formats
public import Media
public import Rendering
public import Wire

/// Tells what a file is, by its content alone: the project's own readers first, libmagic for everything that they do not
/// know.
public struct Sniffer {
    private let magic: Magic

    /// Loads libmagic's database; throws `unavailable` where there is none.
    public init() throws(Failure) {
        magic = try Magic()
    }

    /// Media type, kind, size, and where they can be told whether there is a password or a moving picture.
    ///
    /// Throws `corrupt` only where the file cannot be read.
    public func sniff(_ source: Source) throws(Failure) -> Facts {
        try recognize(source).facts
    }

    private func recognize(_ source: Source) throws(Failure) -> Recognized {
        try FormatReaders.byContent(source, guesser: "libmagic \(Magic.version)") { magic.mediaType(of: $0) }
    }
}

extension Sniffer: Renderer {
    public init(as rendererClass: RendererClass) throws(Failure) {
        try self.init()
    }

    public var build: [String] { ["libmagic \(Magic.version)"] }

    /// The database serves every type.
    public mutating func prepare(for mediaType: MediaType) {}

    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let recognized = try recognize(job.source)
        job.note(.type, recognized.text)
        job.finish(.recognize)
        return .rendered(recognized.facts, [])
    }
}
