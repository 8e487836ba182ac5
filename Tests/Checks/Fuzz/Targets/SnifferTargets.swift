import Formats
import Media
import Rendering

/// The readers of signatures. libmagic is left out: it takes a hundred times as long, and has fuzzers of its own.
enum SnifferTargets {
    static func file(_ bytes: [UInt8]) throws(Broken) {
        guard let source = InMemory.source(bytes) else { return }
        do throws(Failure) {
            _ = try FormatReaders.bySignature(source)
        } catch {
            throw Broken("a file in memory that cannot be read: \(error)")
        }
    }

    /// The bytes are the two XML parts that state an Office package's kind, one after the other. The first byte is the
    /// share of the first part.
    static func package(_ bytes: [UInt8]) throws(Broken) {
        if !bytes.isEmpty { try file(archive(bytes)) }
    }

    private static func archive(_ bytes: [UInt8]) -> [UInt8] {
        let rest = bytes.dropFirst()
        let cut = rest.startIndex + rest.count * Int(bytes[0]) / 255
        return StoredZip.archive(["[Content_Types].xml": rest[..<cut], "_rels/.rels": rest[cut...], "w.xml": []])
    }

    static func text(_ bytes: [UInt8]) throws(Broken) {
        // The cut bytes may be text while the whole is not, and vice versa; both calls only have to return.
        _ = FormatReaders.readAsText(bytes, isWhole: true)
        _ = FormatReaders.readAsText(bytes, isWhole: false)
    }
}

extension SnifferTargets {
    static var files: [[UInt8]] {
        let movie =
            "\0\0\0\u{10}ftypisom\0\0\0\0\0\0\0,moov\0\0\0$trak\0\0\0\u{1C}mdia\0\0\0\u{14}hdlr\0\0\0\0\0\0\0\0vide"
        let chunks = "RIFF,\0\0\0AVI LIST \0\0\0hdrlLIST\u{14}\0\0\0strlstrh\u{8}\0\0\0vids\0\0\0\0"
        let document = StoredZip.archive(["mimetype": Array("application/vnd.oasis.opendocument.text".utf8)[...]])
        // Their kind is stated after the first piece that is read.
        let filler = zeros(70 << 10)
        let farMovie = "\0\0\0\u{10}ftypisom\0\0\0\0\0\0\0\0\0\u{1}\u{18}\u{8}free"
        let late = Array(farMovie.utf8) + filler + movie.utf8.dropFirst(16)
        let lateDocument = StoredZip.archive([
            "filler": filler[...], "mimetype": Array("application/vnd.oasis.opendocument.text".utf8)[...],
            "[Content_Types].xml": [], "word/document.xml": [],
        ])
        return [Array(movie.utf8), Array(chunks.utf8), matroska, compoundFile, document, late, lateDocument]
            + packages.map(archive)
    }

    /// A header of the type `webm`, and a segment with one track.
    private static let matroska: [UInt8] = [
        0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6D, 0x18, 0x53, 0x80, 0x67, 0x8A, 0x16,
        0x54,
        0xAE, 0x6B, 0x85, 0xAE, 0x83, 0x83, 0x81, 0x01,
    ]

    /// A header, one sector of the allocation table and one of the directory, with a root and a stream.
    private static var compoundFile: [UInt8] {
        var header = [UInt8](repeating: 0xFF, count: 512)
        header.replaceSubrange(0..<80, with: zeros(80))
        header.replaceSubrange(0..<8, with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
        // Sectors of 2⁹ bytes; the directory in sector 1; short streams below 4,096 bytes; no further list of tables.
        header[30] = 9
        header[48] = 1
        header[57] = 16
        header.replaceSubrange(68..<72, with: [0xFE, 0xFF, 0xFF, 0xFF])
        let table: [UInt8] = [0xFD, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 508)
        let none = [UInt8](repeating: 0xFF, count: 4)
        func entry(_ name: String, kind: UInt8, child: [UInt8]) -> [UInt8] {
            let units = name.utf16.flatMap { [UInt8($0 & 255), 0] }
            let size = UInt8(units.count + 2)
            return units + zeros(64 - units.count) + [size, 0, kind, 1] + none + none + child + zeros(48)
        }
        return header + table + entry("Root Entry", kind: 5, child: [1, 0, 0, 0])
            + entry("WordDocument", kind: 2, child: none) + zeros(256)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static var packages: [[UInt8]] {
        let types =
            "<?xml version=\"1.0\"?><Types><Default Extension=\"xml\" ContentType=\"application/xml\"/>"
            + "<Override PartName=\"/w.xml\" ContentType=\"application/vnd.openxmlformats-officedocument."
            + "wordprocessingml.document.main+xml\"/></Types>"
        let relationships =
            "<Relationships><Relationship Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
            + "officeDocument\" Target=\"w.xml\"/></Relationships>"
        let share = types.utf8.count * 255 / (types.utf8.count + relationships.utf8.count) + 1
        return [[UInt8(share)] + types.utf8 + relationships.utf8]
    }

    static var texts: [[UInt8]] {
        let written = [
            "name,team\nAnn,Reds\nBob,\"Blues, Whites\"\n", "<!DOCTYPE html><html><head><title>x</title></head>",
            "<?xml version=\"1.0\"?><!-- c --><svg:svg xmlns:svg='x'/>", "#!/bin/sh\necho x\n", "{\"a\": [1, 2]}",
            "From: a@b\nReceived: x\nMessage-ID: <1>\n\nHello", "{\\rtf1 x}", "plain text, no more",
        ]
        let units = written[0].utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let table = String(repeating: "name,team,\"a, b\"\n", count: 4200)
        return (written + [table]).map { Array($0.utf8) } + [[0xFF, 0xFE] + units, units]
    }
}
