internal import Media

/// A part of a page at one scale that serves several layouts.
struct SharedArea {
    let scaled: PixelSize
    private(set) var area: PixelArea
    private(set) var layoutIndices: [Int]

    /// The fewest areas from which all layouts can be made, each at the scale of its largest layout.
    static func covering(_ layouts: [Layout]) -> [SharedArea] {
        var all: [SharedArea] = []
        for index in layouts.indices.sorted(by: { layouts[$0].scaled.width > layouts[$1].scaled.width }) {
            let layout = layouts[index]
            if let place = all.firstIndex(where: { $0.serves(layout) }) {
                all[place].add(layout, index)
            } else {
                all.append(SharedArea(scaled: layout.scaled, area: layout.crop, layoutIndices: [index]))
            }
        }
        return all
    }

    /// Averaging nearly to the same size would blur text, and a layout of quite another part of the page would cost more
    /// to include than to draw.
    private func serves(_ layout: Layout) -> Bool {
        let isSmallEnough = Double(layout.scaled.width) <= 0.75 * Double(scaled.width)
        guard isSmallEnough || layout.scaled == scaled else { return false }
        let both = area.union(layout.crop(scaledTo: scaled)).size
        return Double(both.width) * Double(both.height) <= 2 * Double(area.size.pixelCount)
    }

    /// The same area drawn so large that nothing shines through between the strips of a scan.
    func finer(for strips: PDFStrips, of page: PageSize, _ layouts: [Layout]) -> SharedArea {
        // Averaging nearly to the same size would blur.
        guard let size = strips.size(of: page, atLeast: 1.5 * Double(scaled.width)) else { return self }
        let areas = layoutIndices.map { layouts[$0].crop(scaledTo: size) }
        let area = areas.dropFirst().reduce(areas[0]) { $0.union($1) }
        guard Double(area.size.width) * Double(area.size.height) <= Self.mostPixels else { return self }
        return SharedArea(scaled: size, area: area, layoutIndices: layoutIndices)
    }

    /// Larger areas are not drawn for this: an A4 page at 600 dots an inch has 35 million.
    private static let mostPixels = 36e6

    private mutating func add(_ layout: Layout, _ index: Int) {
        area = area.union(layout.crop(scaledTo: scaled))
        layoutIndices.append(index)
    }
}
