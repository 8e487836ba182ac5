internal import Media

/// A part of a page at one scale that serves several layouts.
struct SharedArea {
    /// The whole page in pixels at this scale.
    let scaled: PixelSize
    /// The part, in pixels of the scaled page.
    private(set) var area: PixelArea
    /// The indices of the layouts that the part serves.
    private(set) var layoutIndices: [Int]

    /// The fewest areas that serve all layouts, each at the scale of its largest layout.
    static func covering(_ layouts: [Layout]) -> [SharedArea] {
        var all: [SharedArea] = []
        for index in layouts.indices.sorted(by: { layouts[$0].scaled.width > layouts[$1].scaled.width }) {
            let layout = layouts[index]
            if let found = all.firstIndex(where: { $0.serves(layout) }) {
                all[found].add(layout, index)
            } else {
                all.append(SharedArea(scaled: layout.scaled, area: layout.crop, layoutIndices: [index]))
            }
        }
        return all
    }

    /// Whether this area should serve a layout too. Averaging to nearly the same size would blur text. A layout of a
    /// distant part of the page would cost more to include than to draw separately.
    private func serves(_ layout: Layout) -> Bool {
        let isSmallEnough = Double(layout.scaled.width) <= 0.75 * Double(scaled.width)
        guard isSmallEnough || layout.scaled == scaled else { return false }
        let both = area.union(layout.crop(scaledTo: scaled)).size
        return Double(both.width) * Double(both.height) <= 2 * Double(area.size.pixelCount)
    }

    /// The same part at a scale at which the strips of a scan end at pixel edges; unchanged if that would be too large.
    func finer(for strips: ImageStrips, of page: PageSize, _ layouts: [Layout]) -> SharedArea {
        // Averaging to nearly the same size would blur the scan.
        guard let size = strips.size(of: page, atLeast: 1.5 * Double(scaled.width)) else { return self }
        let areas = layoutIndices.map { layouts[$0].crop(scaledTo: size) }
        let area = areas.dropFirst().reduce(areas[0]) { $0.union($1) }
        guard Double(area.size.width) * Double(area.size.height) <= Self.maximumPixelCount else { return self }
        return SharedArea(scaled: size, area: area, layoutIndices: layoutIndices)
    }

    /// An A4 page at 600 dots per inch has 35 million pixels.
    private static let maximumPixelCount = 36e6

    private mutating func add(_ layout: Layout, _ index: Int) {
        area = area.union(layout.crop(scaledTo: scaled))
        layoutIndices.append(index)
    }
}
