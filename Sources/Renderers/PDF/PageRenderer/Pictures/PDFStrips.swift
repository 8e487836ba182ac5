internal import Media

/// The images of a page that is one picture cut into strips, as scanners and printers' drivers write it.
///
/// cairo softens the edges of each, so that the page's white shines through wherever two meet within a pixel: pale lines
/// across a photograph. Where every strip ends at a pixel's edge there are none.
struct PDFStrips {
    /// Pixels, of each strip.
    let width: Int
    /// Pixels, of all together.
    let height: Int

    /// Pixels, of each but the last.
    private let stripHeight: Int

    private static let fewest = 4
    private static let most = 512

    /// `nil` where the page's images are not several of one width and of one height, but for the last.
    init?(of page: PDFPageTree.Page, _ objects: inout PDFObjects) throws(Failure) {
        guard let resources = try objects.resolved(page.attribute("/Resources"))?.dictionary,
            let entries = try objects.resolved(resources["/XObject"])?.dictionary?.entries,
            (Self.fewest...Self.most).contains(entries.count)
        else { return nil }
        var (width, height, sum, isLast) = (0, 0, 0, false)
        for entry in entries {
            guard let image = try objects.resolved(entry.value)?.dictionary, image["/Subtype"]?.name == "/Image",
                let across = try objects.resolved(image["/Width"])?.integer, (1...100_000).contains(across),
                let down = try objects.resolved(image["/Height"])?.integer, (1...100_000).contains(down)
            else { return nil }
            if width == 0 { (width, height) = (across, down) }
            guard across == width, down == height || !isLast else { return nil }
            if down != height { isLast = true }
            sum += down
        }
        self.width = width
        self.height = sum
        stripHeight = height
    }

    /// The size of a page, in pixels, at which each strip ends at a pixel's edge; `nil` where the strips are not as wide and as high
    /// as the page, whichever way it is turned.
    ///
    /// - Parameter width: the least that is wanted; what comes of it is not much larger, if it can be.
    func size(of page: PageSize, atLeast width: Double) -> PixelSize? {
        func agrees(_ across: Double, _ down: Double) -> Bool {
            abs(across * Double(height) / (down * Double(self.width)) - 1) < 0.03
        }
        let isUpright = agrees(page.width, page.height)
        guard isUpright || agrees(page.height, page.width) else { return nil }
        // Edges lie across the strips alone: the other side may be rounded.
        var (across, down, part) = (Double(self.width), height, stripHeight)
        var shownWidth: Double { isUpright ? across : Double(down) }
        while shownWidth < width { (across, down) = (across * 2, down * 2) }
        while part % 2 == 0, down % 2 == 0, shownWidth >= 2 * width {
            (across, down, part) = (across / 2, down / 2, part / 2)
        }
        let rounded = max(1, Int(across.rounded()))
        return isUpright ? PixelSize(width: rounded, height: down) : PixelSize(width: down, height: rounded)
    }
}
