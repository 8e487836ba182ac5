import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("Bitmap, downsampling", .deadline)
struct BitmapDownsamplingTests {
    @Test(
        "The longer side is as requested, the other in proportion",
        arguments: [
            (1600, 1200, 100, 75), (640, 360, 100, 56), (90, 300, 30, 100), (1000, 3, 100, 1), (101, 101, 100, 100),
        ])
    func sizes(width: Int, height: Int, smallWidth: Int, smallHeight: Int) {
        let small = SamplePicture.smooth.bitmap(width, height).downsampled(toFit: 100)
        #expect(small.size == PixelSize(width: smallWidth, height: smallHeight))
    }

    @Test("One colour stays that colour", arguments: [(173, 59), (1601, 77), (400, 16_000)])
    func constant(width: Int, height: Int) {
        let pixel: [UInt8] = [13, 200, 255, 77]
        let bytes = (0..<width * height).flatMap { _ in pixel }
        let small = Bitmap(width: width, height: height, channels: 4, bytes: bytes).downsampled(toFit: 50)
        #expect(small.pixels == (0..<small.size.pixelCount).flatMap { _ in pixel })
    }

    @Test("A pixel on a boundary counts for both sides by its shares")
    func parts() {
        let row = Bitmap(width: 3, height: 1, channels: 3, bytes: [0, 30, 255, 60, 90, 0, 240, 0, 0])
        // (first + half of the second) / 1.5, and the like.
        #expect(row.downsampled(toFit: 2).pixels == [20, 50, 170, 180, 30, 0])
        let column = Bitmap(width: 1, height: 3, channels: 3, bytes: [0, 30, 255, 60, 90, 0, 240, 0, 0])
        #expect(column.downsampled(toFit: 2).pixels == [20, 50, 170, 180, 30, 0])
    }

    @Test("Transparent pixels do not tint others")
    func alpha() {
        let picture = Bitmap(width: 2, height: 1, channels: 4, bytes: [255, 10, 0, 255, 0, 255, 0, 0])
        #expect(picture.downsampled(toFit: 1).pixels == [255, 10, 0, 128])
        let clear = Bitmap(width: 2, height: 1, channels: 4, bytes: [9, 9, 9, 0, 9, 9, 9, 0])
        #expect(clear.downsampled(toFit: 1).pixels == [0, 0, 0, 0])
    }

    @Test("Averages are those of every pixel divided into small ones")
    func bruteForce() {
        let picture = SamplePicture.squares.bitmap(35, 21, padding: 3)
        let small = picture.downsampled(toFit: 10)
        #expect(small.size == PixelSize(width: 10, height: 6))
        for y in 0..<6 {
            for x in 0..<10 {
                for channel in 0..<3 {
                    // In tenths across and sixths down, source and target both have whole bounds.
                    var sum = 0
                    for v in y * 21..<(y + 1) * 21 {
                        for u in x * 35..<(x + 1) * 35 { sum += Int(picture.pixel(u / 10, v / 6)[channel]) }
                    }
                    let difference = Double(small.pixel(x, y)[channel]) - Double(sum) / (21 * 35)
                    #expect(abs(difference) <= 0.51)
                }
            }
        }
    }
}
