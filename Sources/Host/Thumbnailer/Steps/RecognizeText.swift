internal import Media
internal import RenderHost
internal import SourceFiles

// A scanned page has no words of its own, or few: it is drawn, and its words are recognised in the drawing.
extension ThumbnailRun {
    /// The text of a page, recognised if its file has no words, or few words over a picture.
    ///
    /// It stays as in its file, and unrecognised, if this machine cannot recognise any text: a warning says so.
    /// - Throws: for a page without words, the failures of a picture of the page and of an overloaded recogniser;
    ///   `unavailable` if the recogniser could not be reached but can be reached now.
    func recognized(_ text: SourceText) throws(Failure) -> SourceText {
        guard case .page(var page) = text, page.awaitsRecognition else { return text }
        do throws(Failure) {
            if let drawing = try drawing(of: page) {
                let found = try words(in: drawing)
                let scale = page.width / Double(drawing.width)
                page.add(found.words.compactMap { $0.scaled(by: scale, onto: page) })
                page.isCut = found.isCut
            }
            page.isRecognized = true
        } catch {
            // The words that the file has are better than a failure.
            if !page.words.isEmpty, error.belongsToContent {
                page.isRecognized = !error.isTransient
                return .page(page)
            }
            // If a recogniser starts, it is not missing: the fault is temporary.
            guard error.code == .unavailable, (try? engine.host.build(of: .recognition)) == nil else { throw error }
            engine.warning { () throws(Failure) in
                throw Failure(.unavailable, message: Self.unrecognized, detail: error.detail)
            }
        }
        return .page(page)
    }

    private static let unrecognized = "Scanned pages cannot be read here: see compass doctor."

    /// The page at 300 pixels per inch, at most 5,000 per side; `nil` if it is blank.
    private func drawing(of page: PageText) throws(Failure) -> Bitmap? {
        let scale = min(300 / 72, 5000 / max(page.width, page.height))
        let (width, height) = (Int((page.width * scale).rounded(.up)), Int((page.height * scale).rounded(.up)))
        guard let box = Box(width: width, height: height) else { return nil }
        let picture = RenderTask.Picture(box: box, fit: .inside, gravity: .top, enlarge: true)
        let task = task(for: .pdf, page: page.pageIndex, pictures: [picture])
        let rendered = try engine.host.perform(task, on: source.descriptor, by: .pdf)
        return rendered.facts.isBlank == true ? nil : rendered.bitmaps.first
    }

    /// The words of a drawing, with places in its pixels.
    private func words(in drawing: Bitmap) throws(Failure) -> PageText {
        var task = task(for: .portableAnymap, page: 0, pictures: [])
        task.readsText = true
        guard case .page(let found) = try engine.host.perform(task, on: try drawing.greyFile(), by: .recognition).text
        else {
            throw Failure(.crashed, detail: "the recogniser answered without text")
        }
        return found
    }

    private func task(for type: MediaType, page: Int, pictures: [RenderTask.Picture]) -> RenderTask {
        var task = RenderTask(
            mediaType: type, limits: engine.limits, pageIndex: page, explanation: order.explanation, pictures: pictures,
            cancellation: order.cancellation, isOnly: engine.isForOneSource)
        if type == .pdf { task.rangedSource = source.ranged }
        return task
    }
}

extension PageText {
    /// Puts words that were recognised in the page's picture before those of its file, which stay unchanged. A
    /// recognised word that overlaps one of them is the same word.
    ///
    /// If less is recognised than the file has, nothing is added.
    fileprivate mutating func add(_ recognized: [Word]) {
        let own = words
        guard recognized.letterCount > own.letterCount else { return }
        words = recognized.filter { word in !own.contains { $0.place.holdsCentre(of: word.place) } }
        if let last = words.indices.last, !own.isEmpty { words[last].ending = .paragraph }
        words += own
    }
}

extension [PageText.Word] {
    fileprivate var letterCount: Int { reduce(0) { $0 + $1.text.unicodeScalars.count } }
}

extension PageText.Rectangle {
    fileprivate func holdsCentre(of other: Self) -> Bool {
        let (x, y) = (other.left + other.width / 2, other.top + other.height / 2)
        return (left...right).contains(x) && (top...bottom).contains(y)
    }
}

extension PageText.Word {
    /// The word at a place in points; `nil` if it is outside the page.
    ///
    /// - Parameter scale: points per pixel.
    fileprivate func scaled(by scale: Double, onto page: PageText) -> Self? {
        let scaled = PageText.Rectangle(
            left: place.left * scale, top: place.top * scale, width: place.width * scale, height: place.height * scale)
        return scaled.placed(onPageOfWidth: page.width, height: page.height).map { Self(text, at: $0, ending: ending) }
    }
}
