internal import Media
internal import RenderHost

// A page of a scan has no words of its own: it is drawn, and its words are recognised in the drawing.
extension ThumbnailRun {
    /// The text of a page, recognised where its file has no words.
    ///
    /// It stays without words, and unrecognised, where this machine cannot recognise any: a warning says so.
    /// - Throws: as a picture of the page fails, and as a recogniser that had too much to do; `unavailable` where it could not be reached
    ///   and can be now.
    func recognized(_ text: SourceText) throws(Failure) -> SourceText {
        guard case .page(var page) = text, page.awaitsRecognition else { return text }
        do throws(Failure) {
            if let drawing = try drawing(of: page) {
                let found = try words(in: drawing)
                let scale = page.width / Double(drawing.width)
                page.words = found.words.compactMap { $0.scaled(by: scale, onto: page) }
                page.isCut = found.isCut
            }
            page.isRecognized = true
        } catch {
            // A recogniser that starts is not what is missing: the fault passes.
            guard error.code == .unavailable, (try? engine.host.build(of: .recognition)) == nil else { throw error }
            engine.warning { () throws(Failure) in
                throw Failure(.unavailable, message: Self.unrecognized, detail: error.detail)
            }
        }
        return .page(page)
    }

    private static let unrecognized = "The words of scanned pages cannot be read here: compass doctor says why."

    /// The page at 300 pixels an inch, at most 5,000 a side; `nil` where it is blank.
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

extension PageText.Word {
    /// The word at a place in points; `nil` where it lies beside the page.
    ///
    /// - Parameter scale: points for each pixel.
    fileprivate func scaled(by scale: Double, onto page: PageText) -> Self? {
        let scaled = PageText.Rectangle(
            left: place.left * scale, top: place.top * scale, width: place.width * scale, height: place.height * scale)
        return scaled.placed(onPageOfWidth: page.width, height: page.height).map { Self(text, at: $0, ending: ending) }
    }
}
