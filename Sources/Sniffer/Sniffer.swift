public import Media
public import Rendering
public import Wire

/// Tells what a file is, by its content alone.
///
/// Its own readers come first: they know exactly the formats that a person's document may have, and read where libmagic
/// does not (an OLE file's directory, a ZIP's). libmagic answers for everything else.
public struct Sniffer {
    private let magic: Magic

    /// The readers in order: signatures at the start decide before anything that searches.
    private static let readers: [any ContentReader.Type] = [
        StillImage.self, BaseMedia.self, Matroska.self, RIFF.self, OggStream.self, MPEGStream.self, OtherMedia.self,
        CompoundDocument.self, ZipPackage.self, PDFHeader.self,
    ]

    /// Loads libmagic's database; throws `unavailable` where there is none.
    public init() throws(Failure) {
        magic = try Magic()
    }

    /// Media type, kind, size, and where they can be told whether there is a password or a moving picture.
    ///
    /// Reads 25 MiB at most and mostly 64 KiB. Throws `corrupt` only where the file cannot be read.
    public func sniff(_ source: Source) throws(Failure) -> Facts {
        try look(at: source).facts
    }

    /// The facts, and which reader told them.
    private func look(at source: Source) throws(Failure) -> (facts: Facts, reader: String) {
        let (finding, reader) = try finding(in: BoundedSource(source))
        var facts = Facts(mediaType: finding.mediaType, byteCount: source.byteCount)
        facts.isEncrypted = finding.isEncrypted
        facts.hasVideo = finding.hasVideo
        return (facts, reader)
    }

    private func finding(in source: BoundedSource) throws(Failure) -> (Finding, reader: String) {
        if source.byteCount == 0 { return (Finding(.empty), "no bytes") }
        if let (finding, reader) = try Self.ownFinding(in: source) { return (finding, reader) }
        let opening = try source.opening()
        let guess = { magic.mediaType(of: opening) ?? .octetStream }
        let isWhole = source.byteCount == Int64(opening.count)
        if let type = TextContent.mediaType(of: opening, isWhole: isWhole, guess: guess) {
            return (Finding(type), "reader of texts")
        }
        return (Finding(BinaryGuess.mediaType(guess(), of: source)), "libmagic \(Magic.version)")
    }
}

extension Sniffer {
    private static func ownFinding(in source: BoundedSource) throws(Failure) -> (Finding, reader: String)? {
        for reader in readers {
            if let finding = try reader.finding(in: source) { return (finding, "own reader: \(reader)") }
        }
        return nil
    }

    /// What the readers by signature say, without text and libmagic: what fuzzers run.
    package static func readBySignature(_ source: Source) throws(Failure) -> MediaType? {
        try ownFinding(in: BoundedSource(source))?.0.mediaType
    }

    /// What the reader of texts says, where libmagic knows nothing: what fuzzers run.
    package static func readAsText(_ bytes: [UInt8], isWhole: Bool) -> MediaType? {
        TextContent.mediaType(of: Bytes(bytes), isWhole: isWhole) { .octetStream }
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
        let (facts, reader) = try look(at: job.source)
        job.note(.decoder, "\(facts.mediaType.rawValue) by \(reader)")
        job.finish(.decode)
        return .rendered(facts, [])
    }
}
