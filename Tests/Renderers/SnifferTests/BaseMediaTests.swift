import Formats
import Glibc
import Linux
import Media
import Rendering
import Sniffer
import TestDeadline
import Testing

@Suite("MP4, QuickTime, HEIF", .deadline)
struct BaseMediaTests {
    @Test(
        "The brand tells the container",
        arguments: [
            ("isom", "video/mp4"), ("mp42", "video/mp4"), ("qt  ", "video/quicktime"), ("M4V ", "video/x-m4v"),
            ("3gp5", "video/3gpp"), ("3g2a", "video/3gpp2"), ("M4A ", "audio/mp4"), ("XXXX", "video/mp4"),
        ])
    func brand(major: String, type: String) throws {
        #expect(try typeName(brands(major) + box("moov", track("vide"))) == type)
    }

    @Test(
        "The major brand names a still image's codec, or the first compatible brand that names one does",
        arguments: [
            (brands("avif", "mif1", "miaf"), "image/avif"), (brands("avis", "msf1"), "image/avif"),
            (brands("mif1", "heic"), "image/heic"), (brands("heix", "mif1"), "image/heic"),
            (brands("mif1", "miaf", "avif"), "image/avif"), (brands("mif1", "miaf"), "image/heif"),
            (brands("msf1", "hevc"), "image/heic"),
        ])
    func pictures(file: [UInt8], type: String) throws {
        #expect(try typeName(file + box("meta", zeros(4))) == type)
    }

    @Test("A video track is found behind other boxes and other tracks")
    func videoTrack() throws {
        let facts = try sniffed(
            brands("isom") + box("free") + box("mdat", zeros(1000))
                + box("moov", box("mvhd", zeros(100)), track("soun"), track("vide")))
        #expect(facts.hasVideo == true)
        #expect(facts.mediaType == .mp4)
        #expect(facts.kind == .video)
    }

    @Test(
        "A movie with sound alone is audio",
        arguments: [
            ("isom", "audio/mp4"), ("qt  ", "audio/mp4"), ("3gp4", "audio/3gpp"),
        ])
    func soundOnly(major: String, type: String) throws {
        let facts = try sniffed(brands(major) + box("moov", track("soun"), track("text")))
        #expect(facts.mediaType.rawValue == type)
        #expect(facts.hasVideo == false)
        #expect(facts.kind == .other)
    }

    @Test("A movie of timed metadata alone is neither video nor audio")
    func neither() throws {
        let facts = try sniffed(brands("qt  ") + box("moov", track("meta")))
        #expect(facts.mediaType == .quickTime)
        #expect(facts.hasVideo == false)
    }

    @Test(
        "The presence of video is unknown without a movie box, and with a cut or compressed one",
        arguments: [
            brands("isom") + box("mdat", zeros(64)),
            brands("isom") + box("moov", track("soun")).dropLast(9),
            brands("qt  ") + box("moov", box("cmov", zeros(100))),
            brands("isom") + UInt32(3).big + ascii("free") + box("moov", track("vide")),
        ])
    func unknown(file: [UInt8]) throws {
        #expect(try sniffed(file).hasVideo == nil)
    }

    @Test("A movie box behind a gigabyte of samples is found")
    func movieAtTheEnd() throws {
        let sampleCount = 1 << 30
        let opening = brands("isom") + UInt32(1).big + ascii("mdat") + UInt64(sampleCount + 16).big
        let movie = box("moov", track("vide"))
        let file = try MemoryFile.create(name: "long", byteCount: opening.count + sampleCount + movie.count)
        try file.write(opening)
        #expect(lseek(file.number, off_t(opening.count + sampleCount), SEEK_SET) > 0)
        try file.write(movie)
        #expect(try Sniffer().sniff(Source(file)).hasVideo == true)
    }

    @Test("A box of size zero reaches to the end")
    func openEnd() throws {
        let movie = box("moov", track("vide"))
        let file = brands("isom") + zeros(4) + movie.dropFirst(4)
        #expect(try sniffed(file).hasVideo == true)
    }

    @Test("QuickTime needs no brand", arguments: ["wide", "free", "skip", "mdat"])
    func plainQuickTime(first: String) throws {
        let facts = try sniffed(box(first, zeros(8)) + box("moov", track("vide")))
        #expect(facts.mediaType == .quickTime)
        #expect(facts.hasVideo == true)
    }

    @Test("Text with an atom's name at the offset of a type is text")
    func text() throws {
        #expect(try typeName("The free lunch that everybody wanted, and the moov of it") == "text/plain")
        #expect(try typeName("And free of charge, for everybody") == "text/plain")
    }

    @Test("Thousands of nested or consecutive boxes exceed the walker's limit")
    func bounded() throws {
        var nested = box("hdlr")
        for _ in 0..<2000 { nested = box("mdia", nested) }
        #expect(try sniffed(brands("isom") + box("moov", box("trak", nested))).hasVideo == nil)
        let endless = (0..<30_000).flatMap { _ in box("free") }
        #expect(try sniffed(brands("isom") + endless + box("moov", track("vide"))).hasVideo == nil)
    }
}
