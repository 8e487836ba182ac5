import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("Presentation", .deadline)
struct PresentationTests {
    private func shown(_ width: Int, _ height: Int, _ shape: (Int, Int), _ orientation: Orientation = .upright)
        -> String
    {
        let size = PixelSize(width: width, height: height)
        return Presentation(storedSize: size, pixelAspectRatio: shape, orientation: orientation).shownSize.description
    }

    @Test("The pixel aspect ratio scales the width, and the rotation comes after it")
    func shapes() {
        #expect(shown(800, 640, (64, 45)) == "1138×640")
        #expect(shown(720, 576, (64, 45)) == "1024×576")
        #expect(shown(720, 480, (8, 9)) == "640×480")
        #expect(shown(720, 576, (64, 45), .quarterTurn) == "576×1024")
    }

    @Test(
        "A missing or implausible pixel aspect ratio counts as square",
        arguments: [(0, 1), (1, 0), (-4, 3), (1, 4000), (9999, 1)])
    func absurdShapes(width: Int, height: Int) {
        #expect(shown(640, 480, (width, height)) == "640×480")
    }

    private func shownField(_ width: Int, _ height: Int, _ shape: (Int, Int)) -> String {
        let size = PixelSize(width: width, height: height)
        let presentation = Presentation(
            storedSize: size, pixelAspectRatio: shape, orientation: .upright, isSingleField: true)
        return presentation.shownSize.description
    }

    @Test("A single field is shown at twice its height, whether the pixel aspect ratio is its own or the frame's")
    func fields() {
        #expect(shownField(1920, 540, (0, 1)) == "1920×1080" && shownField(1920, 540, (1, 1)) == "1920×1080")
        #expect(shownField(1920, 540, (1, 2)) == "1920×1080")
        #expect(shownField(720, 288, (64, 45)) == "1024×576" && shownField(720, 288, (32, 45)) == "1024×576")
        #expect(shownField(720, 240, (8, 9)) == "640×480" && shownField(720, 240, (4, 9)) == "640×480")
        #expect(shownField(1440, 540, (4, 3)) == "1920×1080" && shownField(1440, 540, (2, 3)) == "1920×1080")
    }

    @Test("Where a file states no matrix, high definition has that of BT.709")
    func usualMatrices() {
        #expect(FrameColour.usualMatrix(for: PixelSize(width: 720, height: 576)) == .bt601)
        #expect(FrameColour.usualMatrix(for: PixelSize(width: 960, height: 720)) == .bt709)
        #expect(FrameColour.usualMatrix(for: PixelSize(width: 1280, height: 536)) == .bt709)
    }
}
