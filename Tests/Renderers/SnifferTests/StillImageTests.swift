import Media
import TestDeadline
import Testing

@Suite("Still pictures", .deadline)
struct StillImageTests {
    private static let pictures: [(bytes: [UInt8], type: String)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
        ([0x89] + ascii("PNG\r\n\u{1A}\n") + zeros(8), "image/png"),
        (ascii("GIF89a") + zeros(10), "image/gif"),
        (ascii("II*\0") + UInt32(8).little, "image/tiff"),
        (ascii("MM\0+") + UInt16(8).big + zeros(2), "image/tiff"),
        (ascii("MM\0*") + UInt32(8).big, "image/tiff"),
        ([0xFF, 0x4F, 0xFF, 0x51, 0x00, 0x2F], "image/x-jp2-codestream"),
        ([0, 0, 0, 12] + ascii("JXL \r\n") + [0x87, 0x0A], "image/jxl"),
        ([0xFF, 0x0A] + zeros(20), "image/jxl"),
        (ascii("8BPS\0\u{1}") + zeros(20), "image/vnd.adobe.photoshop"),
        (ascii("8BPS\0\u{2}") + zeros(20), "image/vnd.adobe.photoshop"),
        ([0x76, 0x2F, 0x31, 0x01, 2, 4, 0, 0] + zeros(20), "image/x-exr"),
        (ascii("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n"), "image/vnd.radiance"),
        (ascii("DDS |\0\0\0") + zeros(120), "image/x-dds"),
        (ascii("P6\n# made by hand\n2 2\n255\n") + zeros(12), "image/x-portable-anymap"),
        (ascii("P1 3 1 1 0 1"), "image/x-portable-anymap"),
        ([0x01, 0xDA, 0, 1, 0, 2] + zeros(506), "image/x-sgi"),
    ]

    @Test("Pictures are recognised by their first bytes", arguments: pictures)
    func signatures(bytes: [UInt8], type: String) throws {
        #expect(try typeName(bytes) == type)
    }

    @Test(
        "The brand distinguishes JPEG 2000's file formats",
        arguments: [
            ("jp2 ", "image/jp2"), ("jpx ", "image/jpx"), ("jpm ", "image/jpm"), ("mjp2", "video/mj2"),
        ])
    func jpeg2000(brand: String, type: String) throws {
        let signature = [0, 0, 0, 12] + ascii("jP  \r\n") + [0x87, 0x0A]
        #expect(try typeName(signature + box("ftyp", ascii(brand), zeros(4), ascii(brand))) == type)
    }

    @Test("A bitmap needs an information header of a known size")
    func bitmap() throws {
        let start = ascii("BM") + UInt32(100).little + zeros(4) + UInt32(54).little
        #expect(try typeName(start + UInt32(40).little + zeros(60)) == "image/bmp")
        #expect(try typeName("BM is the abbreviation of many things") == "text/plain")
    }

    @Test("An icon's first picture lies within the file")
    func icon() throws {
        let start: [UInt8] = [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0] + UInt32(40).little
        #expect(try typeName(start + UInt32(22).little + zeros(40)) == "image/vnd.microsoft.icon")
        #expect(try typeName(start + UInt32(4000).little + zeros(40)) != "image/vnd.microsoft.icon")
    }

    @Test("A cursor is an icon of another type")
    func cursor() throws {
        let start: [UInt8] = [0, 0, 2, 0, 1, 0, 32, 32, 0, 0, 7, 0, 9, 0] + UInt32(40).little
        #expect(try typeName(start + UInt32(22).little + zeros(40)) == "image/x-win-bitmap")
    }

    @Test(
        "Text that begins with the letters of a picture's signature stays text",
        arguments: [
            "P6 is a chip of Intel's", "P1\nFirst point", "PF changes every year", "MM: minutes of the meeting",
        ])
    func text(text: String) throws {
        #expect(try typeName(text) == "text/plain")
    }
}
