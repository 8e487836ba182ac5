import Media
import PageRenderer
import Testing

@Suite("The size of a page")
struct PageSizeTests {
    @Test(
        "is none for sides that no page has",
        arguments: [(0, 1), (1, -1), (.nan, 1), (1, .infinity), (1e-9, 1), (1, 1e12)] as [(Double, Double)])
    func unsound(width: Double, height: Double) {
        #expect(PageSize(width: width, height: height) == nil)
    }

    @Test("in pixels is the page's shape, at least as large as any box")
    func pixels() throws {
        #expect(try #require(PageSize(width: 1, height: 2)).pixels == PixelSize(width: 16_000, height: 32_000))
        #expect(try #require(PageSize(width: 612, height: 792)).pixels == PixelSize(width: 16_000, height: 20_706))
    }
}
