internal import CExpat
package import Formats
public import Media
public import Rendering
public import Wire

/// Reads the text of word processor documents and of plain text, with this project's own readers and expat. It also
/// puts the words of a page into reading order (`MediaType.pageWords`).
///
/// It opens only the parts that hold text, and reads no picture, font, macro, embedded object or reference. Failures
/// are `encrypted`, `corrupt` (a part is missing, damaged or truncated), `tooLarge` and `unsupported`.
public struct TextReader: Renderer {
    private var characters = CodePages()

    /// A reader that links no library except expat and zlib.
    public init(as rendererClass: RendererClass) throws(Failure) {}

    /// The versions of expat and of the readers; the latter changes when they read more or differently.
    public var build: [String] { ["readers of text 1", String(cString: XML_ExpatVersion())] }

    /// Loads the conversions of East Asian code pages, which a confined child cannot do.
    public mutating func prepare(for mediaType: MediaType) {
        if [.rtf, .word].contains(mediaType) { characters.load() }
    }

    /// Reads the document's text, or returns its facts if no text is wanted.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        guard job.wantsText else { return .rendered(facts, []) }
        if job.request.mediaType == .pageWords {
            let page = ReadingOrder.arranged(try Self.page(of: job.source))
            job.finish(.decode)
            return try job.textAnswer(page, facts)
        }
        let text = try text(of: job.source, as: job.request.mediaType)
        job.finish(.decode)
        job.note(.decoder, build.joined(separator: ", "))
        return try job.textAnswer(text, facts)
    }

    /// The words of a page, which the host sends.
    private static func page(of source: Source) throws(Failure) -> PageText {
        guard source.byteCount <= Wire.longestPageText else { throw Failure(.tooLarge, detail: "words of a page") }
        let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        do throws(WireError) {
            return try PageText(parsing: bytes)
        } catch {
            throw Failure(.corrupt, detail: "the words of the page are malformed: \(error.what)")
        }
    }

    /// The text of a source of this type.
    ///
    /// - Throws: `unsupported` if no reader here knows the type.
    package func text(of source: Source, as mediaType: MediaType) throws(Failure) -> DocumentText {
        let bounded = try BoundedSource(source, byteLimit: Self.mostBytes, readLimit: Self.mostReads)
        switch mediaType.rawValue {
        case MediaType.encryptedOpenXML.rawValue: throw Failure(.encrypted)
        case MediaType.word.rawValue: return try WordFileReader.text(of: bounded, characters)
        case MediaType.rtf.rawValue: return try RichTextReader.text(of: bounded, characters)
        case MediaType.plainText.rawValue, MediaType.csv.rawValue, "text/tab-separated-values":
            return try PlainTextReader.text(of: bounded)
        case let name where name.contains("opendocument.text"): return try OpenDocumentReader.text(of: bounded)
        case let name where name.contains("wordprocessingml") || name.contains("ms-word"):
            return try OpenXMLReader.text(of: bounded)
        default: throw Failure(.unsupported, detail: mediaType.rawValue)
        }
    }

    /// The maximum number of bytes read from a source; these usually include no pictures.
    private static let mostBytes = 128 << 20
    private static let mostReads = 200_000
}
