import Media
import PDFBuilding
import Testing
import Wire

/// Several renditions from one drawing.
extension PageRendererTests {
    /// A letter page with a band of each colour from the top, and black bars across.
    private static let letter: [UInt8] = {
        var content = ""
        for (index, colour) in ["1 0 0", "0 1 0", "0 0 1", "1 1 0"].enumerated() {
            content += "\(colour) rg 0 \(792 - 198 * (index + 1)) 612 198 re f "
        }
        for bar in 0..<50 { content += "0 g 0 \(bar * 16 + 1) 612 5 re f " }
        return PDFBuilder.page("/MediaBox[0 0 612 792]", content)
    }()

    @Test("a page of any size in points scales to its box")
    func sizes() throws {
        let pictures = try RenderedPage(Self.letter, targets: [.inside(1600, 1600), .inside(100, 100)]).pictures
        #expect(pictures.map(\.size) == [PixelSize(width: 1236, height: 1600), PixelSize(width: 77, height: 100)])
    }

    @Test("a cover keeps the top of the page, or its middle")
    func gravity() throws {
        let file = PDFBuilder.document([
            ("/MediaBox[0 0 100 300]", "1 0 0 rg 0 200 100 100 re f 0 0 1 rg 0 100 100 100 re f")
        ])
        let pictures = try RenderedPage(file, targets: [.cover(200, 200), .cover(200, 200, .centre)]).pictures
        #expect(pictures.map(\.size) == Array(repeating: PixelSize(width: 200, height: 200), count: 2))
        #expect([pictures[0].colour(0, 0), pictures[0].colour(0.99, 0.99)] == [red, red])
        #expect([pictures[1].colour(0, 0), pictures[1].colour(0.99, 0.99)] == [blue, blue])
    }

    @Test("renditions of one drawing look like renditions drawn alone")
    func shared() throws {
        let targets = [RenderTarget.inside(1600, 1600), .cover(640, 360), .cover(240, 180), .inside(1500, 1500)]
        let together = try RenderedPage(Self.letter, targets: targets).pictures
        for (index, target) in targets.enumerated() {
            let alone = try RenderedPage(Self.letter, targets: [target]).pictures[0]
            #expect(together[index].size == alone.size)
            let difference = zip(together[index].bytes, alone.bytes).map { abs(Int($0) - Int($1)) }.reduce(0, +)
            #expect(Double(difference) / Double(alone.bytes.count) < 3)
        }
    }

    @Test("white stays white and flat colours stay flat when averaged")
    func flat() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", "0 0 1 rg 0 0 100 50 re f")
        let small = try RenderedPage(file, targets: [.inside(997, 997), .inside(101, 101)]).pictures[1]
        #expect(small.bytes.prefix(101 * 3 * 50).allSatisfy { $0 == 255 })
        #expect((0..<101).allSatisfy { small.colour(Double($0) / 101, 0.9) == blue })
    }
}
