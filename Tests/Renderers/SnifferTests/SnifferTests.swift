import ArchiveBuilding
import Formats
import Linux
import Media
import Rendering
import Sniffer
import TestDeadline
import TestSupport
import Testing

@Suite("The sniffer", .deadline)
struct SnifferTests {
    @Test("An empty file is empty")
    func empty() throws {
        let facts = try sniffed([])
        #expect(facts.mediaType == .empty)
        #expect(facts.byteCount == 0)
    }

    @Test("The facts hold the size, the type and its kind, and no unknown values")
    func facts() throws {
        let facts = try sniffed([0xFF, 0xD8, 0xFF, 0xE0] + zeros(96))
        #expect(facts == Facts(mediaType: .jpeg, kind: .image, byteCount: 100))
    }

    @Test("The build names libmagic and its version")
    func build() throws {
        let build = try Sniffer(as: .sniff).build
        #expect(build.count == 1)
        #expect(build[0].wholeMatch(of: /libmagic \d+\.\d\d/) != nil)
    }

    @Test("A source that cannot be read is a failure, not a type")
    func unreadable() throws {
        // A folder can be opened and has a size, but cannot be read.
        let folder = try Descriptor.open("/", 0)
        #expect(throws: Failure.self) { try Sniffer().sniff(Source(folder)) }
    }

    @Test("Damaged files of every family are read without a trap", .timeLimit(.minutes(2)))
    func mutants() throws {
        let sniffer = try Sniffer()
        var random = SplitMix(seed: 7)
        for sample in Self.samples {
            for _ in 0..<400 {
                _ = try sniffer.sniff(source(random.mutant(of: sample)))
            }
        }
    }

    /// A small file of each family whose structure is read.
    private static let samples: [[UInt8]] = [
        brands("isom") + box("free") + box("moov", track("soun"), track("vide")),
        CompoundFileBuilder([.storage("A", [.stream("B", zeros(9))]), .stream("Workbook", zeros(5000))]).bytes(),
        ZipBuilder([
            .init(
                "[Content_Types].xml", "<Types><Override PartName=\"/a\" ContentType=\"b\"/></Types>", isDeflated: true),
            .init("_rels/.rels", "<Relationship Type=\"x\" Target='y'>"), .init("mimetype", "application/epub"),
        ]).bytes(),
        [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + ascii("webm") + [0x18, 0x53, 0x80, 0x67, 0x90]
            + [0x16, 0x54, 0xAE, 0x6B, 0x85, 0xAE, 0x83, 0x83, 0x81, 0x02],
        ascii("OggS\0\u{2}") + zeros(20) + [1, 30] + ascii("\u{1}vorbis") + zeros(23),
        ascii("RIFF") + UInt32(60).little + ascii("AVI LIST") + UInt32(40).little + ascii("hdrlLIST")
            + UInt32(20).little
            + ascii("strlstrh") + UInt32(8).little + ascii("auds") + zeros(20),
        ascii("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><!-- d --><svg e=\"f\" g='h' i=j/>"),
        ascii("a,\"b\",c\n1,2,3\n4,5,6\n"),
        ascii("P6\n#x\n2 2\n255\n") + zeros(12),
    ]
}

extension SplitMix {
    /// The sample, cut or with changed bytes.
    fileprivate mutating func mutant(of sample: [UInt8]) -> [UInt8] {
        if next(below: 4) == 0 { return Array(sample.prefix(next(below: sample.count))) }
        var bytes = sample
        for _ in 0...next(below: 12) {
            bytes[next(below: bytes.count)] = [0, 0xFF, 0x7F, 0x80, UInt8(next(below: 256))][next(below: 5)]
        }
        return bytes
    }
}
