import Media
import TestDeadline
import Testing

@Suite("Values on the command line", .deadline)
struct ParsingTests {
    @Test(
        "Sizes are read as vipsthumbnail writes them",
        arguments: [("640", 640, 640), ("640x360", 640, 360), ("640x", 640, nil), ("x360", nil, 360)]
            as [(String, Int?, Int?)])
    func sizes(text: String, width: Int?, height: Int?) {
        #expect(Box(parsing: text)?.width == width)
        #expect(Box(parsing: text)?.height == height)
    }

    @Test(
        "Other sizes are refused",
        arguments: ["", "x", "0", "0x5", "-1", "6 4", "640x360x2", "64O", "16001", "16000x16000", "+5", "1e3", "٣"])
    func noSizes(text: String) { #expect(Box(parsing: text) == nil) }

    @Test(
        "Times are read as FFmpeg writes them",
        arguments: [
            ("10%", .permille(100)), ("0%", .permille(0)), ("100%", .permille(1000)), ("12.5%", .permille(125)),
            ("83.5", .milliseconds(83_500)), ("0", .milliseconds(0)), ("00:01:23", .milliseconds(83_000)),
            ("01:23.4", .milliseconds(83_400)), ("2:00:00", .milliseconds(7_200_000)),
        ] as [(String, TimePosition)])
    func times(text: String, time: TimePosition) { #expect(TimePosition(parsing: text) == time) }

    @Test(
        "Other times are refused",
        arguments: ["", "%", "101%", "-1", "1:60", "1:2:3:4", "1.5:2", "1e3", "99999999", "nan"])
    func noTimes(text: String) { #expect(TimePosition(parsing: text) == nil) }

    @Test("Colours are read as names and hexadecimal digits")
    func colours() {
        #expect(Colour(parsing: "white") == .white)
        #expect(Colour(parsing: "#f80") == Colour(red: 0xFF, green: 0x88, blue: 0))
        #expect(Colour(parsing: "FF8001") == Colour(red: 0xFF, green: 0x80, blue: 1))
        for text in ["", "#", "ff", "fffff", "gggggg", "whit"] { #expect(Colour(parsing: text) == nil) }
    }

    @Test("A digest is 64 hexadecimal digits, and nothing else")
    func digests() {
        let hex = String(repeating: "0f", count: 32)
        #expect(Digest(hex: hex)?.hex == hex)
        #expect(Digest(hex: hex.uppercased())?.hex == hex)
        #expect(Digest(hex: String(hex.dropLast())) == nil)
        #expect(Digest(hex: String(hex.dropLast()) + "g") == nil)
        #expect(Digest(bytes: [1, 2]) == nil)
    }

    @Test("A media type is in lower case and without parameters; other text becomes application/octet-stream")
    func mediaTypes() {
        #expect(MediaType(rawValue: "Text/HTML; charset=utf-8") == .html)
        #expect(MediaType(rawValue: "no type") == .octetStream)
        #expect(MediaType(rawValue: "a/b/c") == .octetStream)
        #expect(MediaType(rawValue: "a/../b\n") == .octetStream)
    }
}
