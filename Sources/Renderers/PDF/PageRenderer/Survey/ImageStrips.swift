internal import Formats
internal import Media

/// The images of a page that is one scan cut into strips, as scanners and printer drivers write scans.
///
/// cairo antialiases the edges of each strip. If two strips meet inside a pixel, the white page shows through as a pale
/// line. If every strip ends at a pixel edge, there are no lines.
struct ImageStrips {
    /// The width of each strip in pixels.
    let width: Int
    /// The height of all strips together in pixels.
    let height: Int

    /// The height of each strip except the last, in pixels.
    private let stripHeight: Int

    private static let counts = 4...512
    private static let sides = 1...100_000

    /// `nil` unless the page has several images of one width and, except for the last, one height.
    init?(of page: PageTree.Page, _ objects: inout IndirectObjects) throws(Failure) {
        guard let resources = try objects.resolved(page.attribute("/Resources"))?.dictionary,
            let entries = try objects.resolved(resources["/XObject"])?.dictionary?.entries,
            Self.counts.contains(entries.count)
        else { return nil }
        var (width, height, sum, isLast) = (0, 0, 0, false)
        for entry in entries {
            guard let image = try objects.resolved(entry.value)?.dictionary, image["/Subtype"]?.name == "/Image",
                let across = try objects.resolved(image["/Width"])?.integer, Self.sides.contains(across),
                let down = try objects.resolved(image["/Height"])?.integer, Self.sides.contains(down)
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

    /// The size in pixels of a page whose strips end at pixel edges; `nil` if the strips do not have the page's shape,
    /// upright or turned.
    ///
    /// - Parameter width: the least width; the result is less than twice as wide if the strips' height allows it.
    func size(of page: PageSize, atLeast width: Double) -> PixelSize? {
        func agrees(_ across: Double, _ down: Double) -> Bool {
            abs(across * Double(height) / (down * Double(self.width)) - 1) < 0.03
        }
        let isUpright = agrees(page.width, page.height)
        guard isUpright || agrees(page.height, page.width) else { return nil }
        // Strips meet along only one direction: the other side may be rounded.
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
