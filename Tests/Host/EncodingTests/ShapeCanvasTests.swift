import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("The canvas of icons and contact sheets", .deadline)
struct ShapeCanvasTests {
    @Test("A picture is cut off at the canvas's edge, and its transparent pixels show the ground")
    func drawing() {
        var canvas = ShapeCanvas(size: PixelSize(width: 3, height: 2), background: .white)
        let picture = Bitmap(
            width: 2, height: 2, channels: 4, bytes: [9, 9, 9, 255, 1, 2, 3, 255, 8, 8, 8, 255, 0, 0, 0, 51])
        canvas.draw(picture, atX: -1, y: 0)
        let bitmap = canvas.bitmap
        #expect(bitmap.pixel(0, 0) == [1, 2, 3])
        #expect(bitmap.pixel(0, 1) == [204, 204, 204])
        #expect(bitmap.pixel(1, 0) == [255, 255, 255])
        canvas.draw(picture, atX: 50, y: -50)
        #expect(canvas.bitmap.pixels == bitmap.pixels)
    }
}
