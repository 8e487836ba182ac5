import Media
import TestDeadline
import TestSupport
import Testing

@Suite("How a picture fills its box", .deadline)
struct LayoutTests {
    private func layout(
        _ width: Int, _ height: Int, _ box: String, _ fit: Fit, gravity: Gravity = .centre, enlarge: Bool = false
    ) -> Layout {
        Layout(
            of: PixelSize(width: width, height: height), in: Box(parsing: box)!, fit: fit, gravity: gravity,
            enlarge: enlarge)
    }

    @Test("Inside keeps the shape and never enlarges")
    func inside() {
        #expect(layout(4000, 3000, "640x360", .inside).canvas == PixelSize(width: 480, height: 360))
        #expect(layout(100, 50, "640x360", .inside).canvas == PixelSize(width: 100, height: 50))
        #expect(layout(100, 50, "640x360", .inside, enlarge: true).canvas == PixelSize(width: 640, height: 320))
    }

    @Test("An open side follows the given one", arguments: [("640x", 640, 480), ("x360", 480, 360), ("640", 640, 480)])
    func openSides(box: String, width: Int, height: Int) {
        for fit in [Fit.inside, .cover] where fit == .inside || box != "640" {
            #expect(layout(4000, 3000, box, fit).canvas == PixelSize(width: width, height: height))
        }
    }

    @Test("Cover fills the box to the pixel and cuts from the centre")
    func cover() {
        let layout = layout(4000, 3000, "640x360", .cover)
        #expect(layout.scaled == PixelSize(width: 640, height: 480))
        #expect(layout.canvas == PixelSize(width: 640, height: 360))
        #expect(layout.cropX == 0 && layout.cropY == 60)
    }

    @Test("Cover of a page keeps its top")
    func coverFromTop() {
        let layout = layout(612, 792, "240x180", .cover, gravity: .top)
        #expect(layout.canvas == PixelSize(width: 240, height: 180))
        #expect(layout.cropY == 0)
    }

    @Test("Cover of a picture smaller than the box cuts the box's shape out of it")
    func coverOfSmall() {
        let layout = layout(1000, 100, "240x180", .cover)
        #expect(layout.scaled == PixelSize(width: 1000, height: 100))
        #expect(layout.canvas == PixelSize(width: 133, height: 100))
        #expect(layout.cropX == 433)
    }

    @Test("Contain pads to the box, with the picture in the middle")
    func contain() {
        let layout = layout(1000, 1000, "640x360", .contain)
        #expect(layout.cropped == PixelSize(width: 360, height: 360))
        #expect(layout.canvas == PixelSize(width: 640, height: 360))
        #expect(layout.originX == 140 && layout.originY == 0)
    }

    @Test("For all sizes, no rendition is empty or exceeds its box, and cover is exact")
    func invariants() {
        var random = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            func side() -> Int { Int(random.next() % (random.next() % 2 == 0 ? 20 : 20_000)) + 1 }
            let source = PixelSize(width: side(), height: side())
            let box = Box(width: min(side(), 5000), height: min(side(), 5000))!
            for fit in Fit.allCases {
                for enlarge in [false, true] {
                    let layout = Layout(of: source, in: box, fit: fit, gravity: .centre, enlarge: enlarge)
                    #expect(layout.cropped.width >= 1 && layout.cropped.height >= 1)
                    #expect(layout.cropX >= 0 && layout.cropX + layout.cropped.width <= layout.scaled.width)
                    #expect(layout.cropY >= 0 && layout.cropY + layout.cropped.height <= layout.scaled.height)
                    #expect(layout.canvas.width <= box.width! && layout.canvas.height <= box.height!)
                    if !enlarge {
                        #expect(layout.scaled.width <= source.width && layout.scaled.height <= source.height)
                    }
                    let fills = source.width >= box.width! && source.height >= box.height!
                    if fit == .cover, enlarge || fills { #expect(layout.canvas == box.bounds) }
                    if fit == .contain { #expect(layout.canvas == box.bounds) }
                }
            }
        }
    }
}
