internal import Formats
internal import Media

extension PageText {
    /// Notes whether pictures cover most of the page, if its file has so few words that more may be in the pictures.
    mutating func notePictures(_ findings: PageFindings, _ objects: IndirectObjects) {
        guard hasFewWords else { return }
        isMostlyPicture = findings.coveredByPictures(objects) >= Self.leastCover
    }

    /// A scanner's picture covers the page; a margin may have been cut off, and a scan may lie on a larger page.
    private static let leastCover = 0.5
}

extension PageFindings {
    /// The share of the page that its pictures cover, with the strips of a scan together; 0 if the content cannot be
    /// read here.
    fileprivate func coveredByPictures(_ objects: IndirectObjects) -> Double {
        guard let page, let shown = shown?.rectangle, !shown.isEmpty, objects.trailer["/Encrypt"] == nil,
            let images = try? DrawnImages(of: page, in: objects, leastPixelCount: Self.leastPixelCount)
        else { return 0 }
        let area = shown.width * shown.height
        return images.placements.values.reduce(0) { $0 + min(area, $1.area(within: shown)) } / area
    }

    /// Text in smaller pictures is not legible.
    private static let leastPixelCount = 1 << 14
}

extension DrawnImages.Placement {
    /// The part of a page that the picture covers, in the page's square units; for a turned picture, the most that it
    /// could cover.
    fileprivate func area(within page: PDFRectangle) -> Double {
        guard let upright else { return width * height }
        let part = upright.rectangle.intersection(page)
        return part.isEmpty ? 0 : part.width * part.height
    }
}
