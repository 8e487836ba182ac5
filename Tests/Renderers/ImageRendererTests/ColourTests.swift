import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Colour and transparency", .deadline)
struct ColourTests {
    @Test("The hidden colour of transparent pixels does not show in their neighbours")
    func noFringes() throws {
        // Left half opaque red, right half invisible black.
        let row = (0..<64).flatMap { x -> [UInt8] in x < 33 ? [255, 0, 0, 255] : [0, 0, 0, 0] }
        let file = PNGFile(width: 64, height: 64, colourType: 6).bytes(rows: Array(repeating: row, count: 64))
        let bitmap = try TestRun(.png)(file, into: "16x16").bitmaps[0]
        #expect(bitmap.channels == 4)
        #expect(bitmap.pixel(2, 8) == [255, 0, 0, 255])
        #expect(bitmap.pixel(14, 8)[3] == 0)
        let edge = bitmap.pixel(8, 8)
        #expect(edge[3] > 20 && edge[3] < 235, "the edge is partly visible")
        #expect(edge[0] >= 250 && edge[1] <= 2 && edge[2] <= 2, "and still red")
    }

    @Test("An opaque picture with an alpha channel stays opaque")
    func opaqueStaysOpaque() throws {
        let rows = (0..<50).map { y in (0..<70).flatMap { x -> [UInt8] in [UInt8(x), UInt8(y), 200, 255] } }
        let bitmap = try TestRun(.png)(PNGFile(width: 70, height: 50, colourType: 6).bytes(rows: rows), into: "23x23")
            .bitmaps[0]
        let alphas = (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { bitmap.pixel($0, y)[3] } }
        #expect(Set(alphas) == [255])
    }

    @Test("16 bits a sample become 8, colours and alpha alike")
    func sixteenBits() throws {
        let row: [UInt8] = [0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0xC0, 0x00]
        let file = PNGFile(width: 8, height: 8, depth: 16, colourType: 6)
            .bytes(rows: Array(repeating: Array(repeating: row, count: 8).flatMap { $0 }, count: 8))
        for box in ["8x8", "4x4"] {
            let pixel = try TestRun(.png)(file, into: box).bitmaps[0].pixel(1, 1)
            #expect(zip(pixel, [255, 128, 0, 192]).allSatisfy { abs($0 - $1) <= 1 }, "\(pixel) in \(box)")
        }
    }

    @Test("Gray, gray with alpha and 16-bit gray become RGB")
    func gray() throws {
        let plain = try TestRun(.png)(PNGFile(width: 1, height: 1, colourType: 0).bytes(rows: [[77]]), into: "5x5")
        #expect(plain.bitmaps[0].pixel(0, 0) == [77, 77, 77] && plain.facts.colorSpace == "gray")
        let translucent = try TestRun(.png)(
            PNGFile(width: 1, height: 1, colourType: 4).bytes(rows: [[77, 9]]), into: "5x5")
        #expect(translucent.bitmaps[0].pixel(0, 0) == [77, 77, 77, 9] && translucent.facts.hasAlpha == true)
        let deep = PNGFile(width: 1, height: 1, depth: 16, colourType: 0).bytes(rows: [[77, 128]])
        #expect(try TestRun(.png)(deep, into: "5x5").bitmaps[0].pixel(0, 0) == [77, 77, 77])
    }

    @Test("A shrunk picture keeps its profile, and a gray one its alpha", arguments: ["64x64", "48x48", "8x8"])
    func smaller(box: String) throws {
        let linear = try #require(CalibratedColour(gamma: [0, 1, 0x86, 0xA0], chromaticities: nil)).profile
        let light = TIFFFile(pages: [
            .init(
                width: 64, height: 64, samples: 3, photometric: 2, profile: linear,
                pixels: Array(repeating: 55, count: 64 * 64 * 3))
        ]).bytes
        #expect(try TestRun(.tiff)(light, into: box).bitmaps[0].pixel(3, 3).allSatisfy { abs($0 - 128) <= 1 })
        let row = Array(repeating: [77, 9] as [UInt8], count: 64).flatMap { $0 }
        let gray = PNGFile(width: 64, height: 64, colourType: 4).bytes(rows: Array(repeating: row, count: 64))
        #expect(try TestRun(.png)(gray, into: box).bitmaps[0].pixel(3, 3) == [77, 77, 77, 9])
    }

    @Test("CMYK becomes RGB: no ink is white, cyan is no red, all black is dark")
    func cmyk() throws {
        let pixels: [UInt8] = [0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255]
        let file = TIFFFile(pages: [.init(width: 3, height: 1, samples: 4, photometric: 5, pixels: pixels)]).bytes
        let result = try TestRun(.tiff)(file, into: "10x10")
        let bitmap = result.bitmaps[0]
        #expect(result.facts.colorSpace == "cmyk" && result.facts.hasAlpha == false && bitmap.channels == 3)
        #expect(bitmap.pixel(0, 0).allSatisfy { $0 >= 250 })
        #expect(bitmap.pixel(1, 0)[0] < 60 && bitmap.pixel(1, 0)[2] > 180)
        #expect(bitmap.pixel(2, 0).allSatisfy { $0 < 70 })
    }

    @Test("CMYK is converted by a profile whose only table is the perceptual one, which libvips ignored silently")
    func perceptualTable() throws {
        // Full cyan, magenta and yellow is white to this printer; to the profile that libvips carries it is nearly black.
        let pixels: [UInt8] = [255, 255, 255, 0, 0, 0, 0, 255]
        let page = TIFFFile.Page(
            width: 2, height: 1, samples: 4, photometric: 5, profile: InkProfile.blackAlone, pixels: pixels)
        let bitmap = try TestRun(.tiff)(TIFFFile(pages: [page]).bytes, into: "10x10").bitmaps[0]
        #expect(bitmap.pixel(0, 0).allSatisfy { $0 >= 250 }, "\(bitmap.pixel(0, 0))")
        #expect(bitmap.pixel(1, 0).allSatisfy { $0 <= 5 }, "\(bitmap.pixel(1, 0))")
    }

    @Test("Portable anymaps of one bit and of colours are shown")
    func anymaps() throws {
        let bitmap = Array("P4 8 1\n".utf8) + [0b1010_0000]
        let bits = try TestRun(.portableAnymap)(bitmap, into: "10x10").bitmaps[0]
        #expect((0..<4).map { bits.pixel($0, 0)[0] } == [0, 255, 0, 255])
        let colours = Array("P6 1 1 255\n".utf8) + [1, 2, 3]
        #expect(try TestRun(.portableAnymap)(colours, into: "10x10").bitmaps[0].pixel(0, 0) == [1, 2, 3])
    }
}
