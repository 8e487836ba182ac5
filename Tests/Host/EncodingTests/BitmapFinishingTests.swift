import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("Bitmap, finishing", .deadline)
struct BitmapFinishingTests {
    @Test("Flattening rounds every value to the nearest, for all values and alphas and some backgrounds")
    func exactFlattening() {
        var bytes: [UInt8] = []
        for alpha in 0...255 {
            for value in 0...255 { bytes += [UInt8(value), UInt8(255 - value), 7, UInt8(alpha)] }
        }
        let picture = Bitmap(width: 256, height: 256, channels: 4, bytes: bytes)
        for ground in [Colour.white, .black, Colour(red: 17, green: 128, blue: 254)] {
            let grounds = [ground.red, ground.green, ground.blue].map(Double.init)
            let expected = (0..<65_536).flatMap { index -> [UInt8] in
                let part = Double(bytes[index * 4 + 3]) / 255
                return (0..<3).map { channel in
                    UInt8((Double(bytes[index * 4 + channel]) * part + grounds[channel] * (1 - part)).rounded())
                }
            }
            let flat = picture.flattened(on: ground)
            #expect(flat.channels == 3)
            #expect(flat.pixels == expected)
        }
    }

    @Test("Flattening and the check of opacity ignore the padding of rows")
    func rowsApart() {
        let apart = SamplePicture.fade.bitmap(31, 9, padding: 5)
        let together = SamplePicture.fade.bitmap(31, 9)
        #expect(apart.flattened(on: .white).pixels == together.flattened(on: .white).pixels)
        #expect(SamplePicture.smooth.bitmap(31, 9, padding: 5).isOpaque)
    }

    @Test("One transparent pixel anywhere is found", arguments: [0, 1, 15, 16, 61, 62])
    func opacity(index: Int) {
        var bytes = [UInt8](repeating: 255, count: 9 * 7 * 4)
        #expect(Bitmap(width: 9, height: 7, channels: 4, bytes: bytes).isOpaque)
        bytes[index * 4 + 3] = 254
        #expect(!Bitmap(width: 9, height: 7, channels: 4, bytes: bytes).isOpaque)
        bytes[index * 4 + 3] = 255
        bytes[index * 4] = 0
        #expect(Bitmap(width: 9, height: 7, channels: 4, bytes: bytes).isOpaque)
    }

    @Test("Padding centres the picture, with the odd pixel to the right and below", arguments: [3, 4])
    func padding(channels: Int) {
        let ink = [UInt8](repeating: 9, count: channels)
        let picture = Bitmap(width: 2, height: 1, channels: channels, bytes: ink + ink)
        let padded = picture.padded(to: PixelSize(width: 5, height: 4), background: Colour(red: 1, green: 2, blue: 3))
        let ground = Array([1, 2, 3, 255].prefix(channels)) as [UInt8]
        for y in 0..<4 {
            for x in 0..<5 {
                #expect(padded.pixel(x, y) == (y == 1 && (1...2).contains(x) ? ink : ground), "at \(x), \(y)")
            }
        }
    }

    @Test("Padding agrees with the layout's place for the picture")
    func layout() {
        let layout = Layout(
            of: PixelSize(width: 100, height: 61), in: Box(width: 50, height: 50)!, fit: .contain, gravity: .centre,
            enlarge: false)
        let picture = SamplePicture.smooth.bitmap(layout.cropped.width, layout.cropped.height)
        let padded = picture.padded(to: layout.canvas, background: .black)
        #expect(padded.pixel(layout.originX, layout.originY) == picture.pixel(0, 0))
        let last = (layout.cropped.width - 1, layout.cropped.height - 1)
        #expect(padded.pixel(layout.originX + last.0, layout.originY + last.1) == picture.pixel(last.0, last.1))
    }

    @Test("Steps without effect copy nothing")
    func noCopies() {
        let opaque = SamplePicture.smooth.bitmap(8, 8).flattened(on: .white)
        #expect(opaque.flattened(on: .black).address == opaque.address)
        #expect(opaque.padded(to: opaque.size, background: .black).address == opaque.address)
        #expect(opaque.downsampled(toFit: 8).address == opaque.address)
    }
}
