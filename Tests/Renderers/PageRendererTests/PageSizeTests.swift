import Media
import PageRenderer
import TestDeadline
import Testing

@Suite("The size of a page", .deadline)
struct PageSizeTests {
    @Test(
        "does not exist for sides that no page can have",
        arguments: [(0, 1), (1, -1), (.nan, 1), (1, .infinity), (1e-9, 1), (1, 1e12)] as [(Double, Double)])
    func unsound(width: Double, height: Double) {
        #expect(PageSize(width: width, height: height) == nil)
    }

    @Test("in pixels has the page's shape and is at least as large as any box")
    func pixels() throws {
        #expect(try #require(PageSize(width: 1, height: 2)).pixels == PixelSize(width: 1 << 30, height: 1 << 31))
        let longest = try #require(PageSize(width: 0.01, height: 1e8)).pixels
        #expect(longest == PixelSize(width: 16_000, height: 160_000_000_000_000))
    }

    @Test("rounds half a pixel by the page's exact shape", arguments: [(347.49, 347), (347.51, 348)])
    func halves(width: Double, rounded: Int) throws {
        let page = try #require(PageSize(width: width, height: 480))
        let box = try #require(Box(width: 480, height: 480))
        let layout = Layout(of: page.pixels, in: box, fit: .inside, gravity: .top, enlarge: false)
        #expect(layout.scaled == PixelSize(width: rounded, height: 480))
    }
}
