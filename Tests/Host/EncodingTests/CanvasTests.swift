import Encoding
import Media
import Testing

@Suite("Canvas")
struct CanvasTests {
    @Test("every letter and digit is drawn, and no two alike")
    func glyphs() {
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let pictures = signs.map { sign in
            var canvas = Canvas(size: PixelSize(width: 40, height: 40), background: .white)
            canvas.write(String(sign), centreX: 20, y: 20, height: 24, .black)
            return canvas.bitmap.pixels
        }
        #expect(Set(pictures).count == signs.count)
        for (sign, picture) in zip(signs, pictures) {
            let black = picture.filter { $0 == 0 }.count / 3
            #expect((30...300).contains(black), "\(sign) has \(black) black pixels")
        }
    }

    @Test("a letter is as high as asked, give or take its line's width")
    func height() {
        var canvas = Canvas(size: PixelSize(width: 100, height: 100), background: .white)
        canvas.write("H", centreX: 50, y: 50, height: 60, .black)
        let rows = (0..<100).filter { y in (0..<100).contains { canvas.bitmap.pixel($0, y)[0] < 128 } }
        #expect((60...72).contains(rows.count))
        #expect(abs((rows.first! + rows.last!) - 99) <= 2)
    }

    @Test("a picture that sticks out is cut off, and what is transparent lets the ground through")
    func drawing() {
        var canvas = Canvas(size: PixelSize(width: 3, height: 2), background: .white)
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
