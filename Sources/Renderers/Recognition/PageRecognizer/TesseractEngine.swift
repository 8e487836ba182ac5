internal import CTesseract
internal import Media

/// Tesseract with one model, for one picture per process.
final class TesseractEngine {
    private let api: OpaquePointer

    /// Reads the model; `nil` if the machine has none.
    init?(language: String) {
        guard let api = TessBaseAPICreate() else { return nil }
        guard TessBaseAPIInit2(api, nil, language, OEM_LSTM_ONLY) == 0 else {
            TessBaseAPIDelete(api)
            return nil
        }
        // It finds columns and lines but not the orientation: the page is upright.
        TessBaseAPISetPageSegMode(api, PSM_AUTO)
        self.api = api
    }

    deinit {
        TessBaseAPIEnd(api)
        TessBaseAPIDelete(api)
    }

    /// The picture's words in Tesseract's order, and whether some were left out because of the limits of `PageText`.
    ///
    /// - Throws: `corrupt` if nothing can be recognised.
    func words(of picture: GreyPicture) throws(Failure) -> (words: [PageText.Word], isCut: Bool) {
        let isRead = picture.pixels.withUnsafeBufferPointer { pixels in
            TessBaseAPISetImage(
                api, pixels.baseAddress, Int32(picture.width), Int32(picture.height), 1, Int32(picture.width))
            TessBaseAPISetSourceResolution(api, Int32(Self.resolution))
            return TessBaseAPIRecognize(api, nil) == 0
        }
        guard isRead else { throw Failure(.corrupt, detail: "Tesseract cannot read the picture") }
        // A picture without a word has no iterator.
        guard let results = TessBaseAPIGetIterator(api) else { return ([], false) }
        defer { TessResultIteratorDelete(results) }
        var words: [PageText.Word] = []
        repeat {
            if words.count == PageText.mostWords { return (words, true) }
            if let word = word(at: results) { words.append(word) }
        } while TessResultIteratorNext(results, RIL_WORD) != 0
        return (words, false)
    }

    /// The pictures' pixels per inch: at 300, most letters are as high as the letters in the model's training data.
    private static let resolution = 300

    /// The least confidence, of 100: less certain words are usually specks and lines.
    private static let leastConfidence: Float = 20

    /// What the model reads for a bullet at the beginning of a line.
    private static let misreadBullets: Set<String> = ["¢", "*", "°", "»", "«", "©", "®"]

    private func word(at results: OpaquePointer) -> PageText.Word? {
        guard let text = TessResultIteratorGetUTF8Text(results, RIL_WORD) else { return nil }
        defer { TessDeleteText(text) }
        let place = TessResultIteratorGetPageIteratorConst(results)
        var (left, top, right, bottom): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard TessResultIteratorConfidence(results, RIL_WORD) >= Self.leastConfidence,
            TessPageIteratorBoundingBox(place, RIL_WORD, &left, &top, &right, &bottom) != 0
        else { return nil }
        let ending: PageText.Ending =
            TessPageIteratorIsAtFinalElement(place, RIL_PARA, RIL_WORD) != 0
            ? .paragraph : TessPageIteratorIsAtFinalElement(place, RIL_TEXTLINE, RIL_WORD) != 0 ? .line : .space
        let rectangle = PageText.Rectangle(
            left: Double(left), top: Double(top), width: Double(right - left), height: Double(bottom - top))
        var word = String(cString: text)
        if Self.misreadBullets.contains(word), TessPageIteratorIsAtBeginningOf(place, RIL_TEXTLINE) != 0 { word = "•" }
        return PageText.Word(word, at: rectangle, ending: ending)
    }
}
