internal import CTesseract
internal import Formats
public import Media
public import Rendering
public import Wire

/// Recognises the words of a page that is a picture, with Tesseract.
///
/// The source is a grey picture of the page that the host made (`GreyPicture`). The renderer reads the model before the
/// fork, so a child opens no file at all. Places are in pixels from the picture's upper left corner; the host converts
/// them to points.
public struct PageRecognizer: Renderer {
    private let engine: TesseractEngine

    /// Loads the model for English.
    ///
    /// - Throws: `unavailable` if the machine has none.
    public init(as rendererClass: RendererClass) throws(Failure) {
        guard let engine = TesseractEngine(language: "eng") else {
            throw Failure(.unavailable, message: "Install tesseract-ocr-eng, the model for English.")
        }
        self.engine = engine
    }

    /// Tesseract's version.
    public var build: [String] { ["tesseract \(String(cString: TessVersion()))"] }

    /// Does nothing: the model serves all pages.
    public mutating func prepare(for mediaType: MediaType) {}

    /// Answers with the words of the picture.
    ///
    /// - Throws: `corrupt` if the source is not a grey picture.
    public func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let picture = try GreyPicture(job.source)
        var facts = Facts(mediaType: job.request.mediaType, byteCount: job.source.byteCount)
        (facts.width, facts.height) = (picture.width, picture.height)
        guard job.wantsText else { return .rendered(facts, []) }
        var text = PageText(
            pageIndex: job.request.pageIndex, pageCount: job.request.pageIndex + 1, width: Double(picture.width),
            height: Double(picture.height))
        (text.words, text.isCut) = try engine.words(of: picture)
        job.finish(.decode)
        return try job.textAnswer(text, facts)
    }
}
