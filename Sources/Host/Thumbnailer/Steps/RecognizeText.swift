internal import Linux
internal import Media
internal import RenderHost

// A page that is a picture has no words of its own: it is drawn, and its words are recognised in the drawing.
extension ThumbnailRun {
    /// The text of a page, recognised where the page has no words; as it is where nothing can be recognised here.
    mutating func recognized(_ text: SourceText) throws(Failure) -> SourceText {
        guard case .page(let page) = text, page.words.isEmpty, let box = Self.box(of: page) else { return text }
        guard let picture = try drawing(of: page, in: box), let source = Self.greyFile(of: picture) else { return text }
        var task = RenderTask(
            mediaType: .portableAnymap, limits: engine.limits, pageIndex: page.pageIndex,
            explanation: order.explanation, cancellation: order.cancellation, isOnly: engine.isForOneSource)
        task.readsText = true
        do throws(Failure) {
            let rendered = try engine.host.perform(task, on: source, by: .recognition)
            guard case .page(let found) = rendered.text else { return text }
            return .page(page.with(found, scaledBy: page.width / Double(picture.width)))
        } catch {
            // Without Tesseract or its model a scan has no words, as before.
            if [.cancelled, .timedOut].contains(error.code) { throw error }
            return text
        }
    }

    /// The page at 300 pixels an inch, smaller where it is larger than A3; `nil` where it has no picture.
    private static func box(of page: PageText) -> Box? {
        let scale = min(300 / 72, 5000 / max(page.width, page.height))
        return Box(width: Int((page.width * scale).rounded(.up)), height: Int((page.height * scale).rounded(.up)))
    }

    private func drawing(of page: PageText, in box: Box) throws(Failure) -> Bitmap? {
        let picture = RenderTask.Picture(box: box, fit: .inside, gravity: .top, enlarge: true)
        var task = RenderTask(
            mediaType: .pdf, limits: engine.limits, pageIndex: page.pageIndex, explanation: order.explanation,
            pictures: [picture], cancellation: order.cancellation, isOnly: engine.isForOneSource)
        task.rangedSource = source.ranged
        let rendered = try engine.host.perform(task, on: source.descriptor, by: .pdf)
        return rendered.facts.isBlank == true ? nil : rendered.bitmaps.first
    }

    /// A memory file with the picture in grey, as a binary PGM; `nil` where there is no memory.
    private static func greyFile(of picture: Bitmap) -> Descriptor? {
        var bytes = Array("P5 \(picture.width) \(picture.height) 255\n".utf8)
        bytes.reserveCapacity(bytes.count + picture.width * picture.height)
        picture.withUnsafeBytes { pixels in
            for row in 0..<picture.height {
                for column in 0..<picture.width {
                    let place = row * picture.bytesPerRow + column * picture.channels
                    // Rec. 601's weights in 256ths.
                    let grey = 77 * Int(pixels[place]) + 150 * Int(pixels[place + 1]) + 29 * Int(pixels[place + 2])
                    bytes.append(UInt8(grey >> 8))
                }
            }
        }
        guard let file = try? MemoryFile.create(name: "page", byteCount: bytes.count) else { return nil }
        return (try? file.write(bytes)) == nil ? nil : file
    }
}

extension PageText {
    /// The page with words that were recognised in a picture of it.
    ///
    /// - Parameter scale: points for each pixel.
    fileprivate func with(_ found: PageText, scaledBy scale: Double) -> PageText {
        var page = self
        page.isCut = found.isCut
        page.words = found.words.compactMap { word in
            let scaled = Rectangle(
                left: word.place.left * scale, top: word.place.top * scale, width: word.place.width * scale,
                height: word.place.height * scale)
            return scaled.placed(onPageOfWidth: width, height: height).map {
                Word(word.text, at: $0, ending: word.ending)
            }
        }
        return page
    }
}
