import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("FileTypeIcon", .deadline)
struct FileTypeIconTests {
    private static let document = MediaType.wordOpenXML
    private static let sizes = [(240, 180), (640, 360), (1600, 1600), (320, 640)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    @Test(
        "The letters are the type's usual extension",
        arguments: [
            ("application/msword", "DOC"), (wordOpenXML, "DOCX"), ("application/vnd.ms-excel", "XLS"),
            ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "XLSX"), ("text/csv", "CSV"),
            ("text/plain", "TXT"), ("text/rtf", "RTF"), ("application/rtf", "RTF"),
            ("application/vnd.ms-powerpoint", "PPT"),
            ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "PPTX"),
            ("application/zip", "ZIP"), ("audio/mpeg", "MP3"), ("text/html", "HTML"), ("application/json", "JSON"),
            ("text/xml", "XML"), ("application/xml", "XML"), ("message/rfc822", "EML"),
            ("application/epub+zip", "EPUB"),
            ("application/vnd.oasis.opendocument.text", "ODT"),
            ("application/vnd.oasis.opendocument.spreadsheet", "ODS"),
            ("application/pdf", "PDF"), ("video/quicktime", "MOV"), ("application/x-7z-compressed", "7Z"),
            ("application/octet-stream", "FILE"), ("audio/opus", "OPUS"), ("image/x-foo", "FOO"),
            ("application/vnd.something-unpronounceable", "FILE"), ("application/x-9", "FILE"),
        ])
    func labels(mediaType: String, label: String) {
        #expect(FileTypeIcon.label(for: MediaType(rawValue: mediaType)) == label)
    }

    private static let wordOpenXML = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    @Test(
        "Any type has a label of 1 to 5 letters or digits",
        arguments: [
            "a/b", "x/-", "x/...", "text/x-c", "text/x-c++", "font/woff2", "model/gltf+json", "no type", "a/$^_&#",
        ])
    func anyLabel(mediaType: String) {
        let label = FileTypeIcon.label(for: MediaType(rawValue: mediaType))
        #expect((1...5).contains(label.count))
        #expect(label.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) })
    }

    @Test(
        "An icon has the requested size, however odd",
        arguments: [(1, 1), (2, 3), (8, 8), (32, 32), (1, 2000), (16_000, 1)])
    func anySize(width: Int, height: Int) {
        let icon = FileTypeIcon.draw(for: Self.document, size: PixelSize(width: width, height: height))
        #expect(icon.size == PixelSize(width: width, height: height) && icon.channels == 3)
    }

    @Test("Every capital and digit has a shape of its own")
    func letters() {
        let signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let icons = signs.map { sign in
            let mediaType = MediaType(rawValue: "image/x-\(sign)\(sign)")
            return FileTypeIcon.draw(for: mediaType, size: PixelSize(width: 96, height: 96)).pixels
        }
        #expect(Set(icons).count == signs.count)
    }

    @Test("The same icon is drawn every time")
    func determinism() {
        let size = PixelSize(width: 240, height: 180)
        let first = FileTypeIcon.draw(for: .csv, size: size)
        let second = FileTypeIcon.draw(for: .csv, size: size)
        #expect(first.pixels == second.pixels)
    }

    @Test("Opposite margins are equal, and of the background's colour", arguments: sizes)
    func margins(size: PixelSize) throws {
        let ground = Colour(red: 30, green: 60, blue: 90)
        let icon = FileTypeIcon.draw(for: Self.document, size: size, background: ground)
        let ink = try #require(InkBounds(of: icon, background: [30, 60, 90]))
        #expect(abs(ink.left - (size.width - 1 - ink.right)) <= 1)
        #expect(abs(ink.top - (size.height - 1 - ink.bottom)) <= 1)
        #expect(min(ink.left, ink.top) > 0)
        #expect(max(ink.width * 10 / size.width, ink.height * 10 / size.height) >= 7)
    }

    @Test("The types of one family differ only in the letters on the badge")
    func lettersInk() throws {
        let size = PixelSize(width: 640, height: 360)
        let first = FileTypeIcon.draw(for: .word, size: size)
        let second = FileTypeIcon.draw(for: .rtf, size: size)
        let differing = (0..<360).filter { y in (0..<640).contains { first.pixel($0, y) != second.pixel($0, y) } }
        let rows = try #require(differing.first)...differing.last!
        #expect((30...70).contains(rows.count))
        // Between the rows of the letters there are white ink and the family's colour, and half tones at edges only.
        let badge = rows.flatMap { y in (250..<390).map { first.pixel($0, y) } }
        let white = badge.filter { $0 == [255, 255, 255] }.count
        #expect((badge.count / 10...badge.count / 2).contains(white))
        let ground = badge.filter { $0 == first.pixel(200, rows.lowerBound + 5) }.count
        #expect(white + ground > badge.count * 7 / 10)
    }

    @Test("Each family has a colour of its own")
    func familyColours() {
        let types = [
            "application/msword", "text/csv", "application/vnd.ms-powerpoint", "text/plain", "audio/mpeg",
            "application/zip", "text/html", "application/octet-stream", "video/mp4", "image/x-foo",
        ]
        let size = PixelSize(width: 640, height: 360)
        // Within the badge, left of the letters.
        let colours = types.map { FileTypeIcon.draw(for: MediaType(rawValue: $0), size: size).pixel(200, 240) }
        #expect(Set(colours).count == types.count)
        #expect(!colours.contains([255, 255, 255]))
        #expect(colours[0][2] > colours[0][0], "documents are blue")
        #expect(colours[1][1] > max(colours[1][0], colours[1][2]), "tables are green")
    }

    @Test(
        "Four plain colours make up nearly the whole icon, and every half tone touches one of them",
        arguments: [(640, 360, 0.96), (1600, 1600, 0.99)])
    func crispness(width: Int, height: Int, part: Double) {
        let icon = FileTypeIcon.draw(for: .csv, size: PixelSize(width: width, height: height))
        let colours = icon.colours
        var counts: [Int: Int] = [:]
        for colour in colours { counts[colour, default: 0] += 1 }
        let commonest = counts.sorted { $0.value > $1.value }.prefix(4)
        let plain = Set(commonest.map { $0.key })
        let halfTones = colours.indices.filter { !plain.contains(colours[$0]) }
        #expect(Double(colours.count - halfTones.count) / Double(colours.count) > part)
        let neighbours = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
        let blurred = halfTones.filter { index in !neighbours.contains { plain.contains(colours[index + $0]) } }
        #expect(blurred.isEmpty)
    }
}

extension Bitmap {
    /// RGB in one number, pixel by pixel.
    fileprivate var colours: [Int] {
        let bytes = pixels.map(Int.init)
        return (0..<size.pixelCount).map { bytes[$0 * 3] << 16 | bytes[$0 * 3 + 1] << 8 | bytes[$0 * 3 + 2] }
    }
}

/// The bounding box of the pixels that differ from the background.
private struct InkBounds {
    var left = Int.max
    var right = -1
    var top = Int.max
    var bottom = -1
    var width: Int { right - left + 1 }
    var height: Int { bottom - top + 1 }

    init?(of bitmap: Bitmap, background: [UInt8]) {
        let pixels = bitmap.pixels
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let at = (y * bitmap.width + x) * 3
                if pixels[at] == background[0] && pixels[at + 1] == background[1] && pixels[at + 2] == background[2] {
                    continue
                }
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
        }
        if right < 0 { return nil }
    }
}
