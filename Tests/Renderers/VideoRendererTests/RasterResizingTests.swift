import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("A raster in another size", .deadline) struct RasterResizingTests {
    private func raster(_ width: Int, _ height: Int, channels: Int, _ pixel: (Int, Int) -> [UInt8]) -> Raster {
        let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        return Raster(size: PixelSize(width: width, height: height), channels: channels, bytes: bytes)
    }

    @Test(
        "One colour stays that colour in every size",
        arguments: [(1, 1), (3, 2), (40, 30), (7, 90), (97, 5), (200, 160)])
    func constant(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        let small = raster(40, 30, channels: 3) { _, _ in [10, 200, 255] }.resized(to: size)
        #expect(small.size == size)
        #expect(small == raster(width, height, channels: 3) { _, _ in [10, 200, 255] })
    }

    @Test("Fine stripes become their mean")
    func mean() {
        let stripes = raster(64, 64, channels: 3) { x, _ in x % 2 == 0 ? [0, 0, 0] : [200, 200, 200] }
        let small = stripes.resized(to: PixelSize(width: 8, height: 8))
        #expect(small.bytes.allSatisfy { abs(Int($0) - 100) <= 6 })
    }

    @Test("A ramp stays a ramp, in its place")
    func ramp() {
        let wide = raster(256, 4, channels: 3) { x, _ in [UInt8(x), 0, UInt8(255 - x)] }
        let small = wide.resized(to: PixelSize(width: 32, height: 2))
        for x in 4..<28 {
            // The middle of new pixel x lies at old 8x + 3.5.
            #expect(abs(Double(small.bytes[x * 3]) - (Double(x) * 8 + 3.5)) <= 1)
        }
    }

    @Test("An invisible pixel's colour does not bleed into its neighbours")
    func alpha() {
        let picture = raster(32, 32, channels: 4) { x, _ in x < 16 ? [255, 0, 0, 0] : [0, 0, 255, 255] }
        let small = picture.resized(to: PixelSize(width: 5, height: 5))
        for place in stride(from: 0, to: small.bytes.count, by: 4) where small.bytes[place + 3] > 0 {
            #expect(small.bytes[place] <= 1 && small.bytes[place + 2] >= 254)
        }
        #expect(small.bytes[3] == 0 && small.bytes[19] == 255)
        #expect(!small.isOpaque)
    }
}
