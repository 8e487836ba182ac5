/// Builds a QuickTime file of uncompressed frames (ISO/IEC 14496-12 and QuickTime's own sample entry).
struct MadeMovie {
    var width = 64
    var height = 48
    /// How a frame is stored: `raw ` is red, green and blue, a byte each; `2vuy` is U Y V Y for two pixels.
    var format = "raw "
    var framesPerSecond = 10
    var frames: [[UInt8]]
    /// Boxes in the sample entry: `clap`, `colr`, `fiel`.
    var extensions: [UInt8] = []
    /// The delay before the first frame, in seconds.
    var delay = 0
    /// The decode time of a fragment, in units; `nil` for a movie without fragments.
    var fragmentStart: UInt64?
    /// Whether an audio track without samples starts at 0.
    var hasSound = false

    /// The whole file: type, frames, then the index.
    var bytes: [UInt8] {
        let type = Self.box("ftyp", Array("qt  ".utf8) + Self.big(0) + Array("qt  ".utf8))
        let place = type.count + 8
        if let fragmentStart { return type + fragmented(from: fragmentStart) }
        return type + Self.box("mdat", frames.flatMap { $0 })
            + Self.box("moov", header + track(framesAt: place) + sound)
    }

    /// An index without samples, then one fragment that has them all (ISO/IEC 14496-12, 8.8).
    private func fragmented(from start: UInt64) -> [UInt8] {
        var empty = self
        empty.frames = []
        let defaults = Self.box("mvex", Self.box("trex", [0, 1, 1, 1, frames[0].count, 0x200_0000].flatMap(Self.big)))
        let index = Self.box("moov", empty.header + empty.track(framesAt: 0) + defaults)
        func fragment(framesAt place: Int) -> [UInt8] {
            let time = Self.big(1 << 24) + Self.big(Int(start >> 32)) + Self.big(Int(start & 0xFFFF_FFFF))
            let run = [1, frames.count, place].flatMap(Self.big)
            let track =
                Self.box("tfhd", [0x2_0000, 1].flatMap(Self.big)) + Self.box("tfdt", time) + Self.box("trun", run)
            return Self.box("moof", Self.box("mfhd", [0, 1].flatMap(Self.big)) + Self.box("traf", track))
        }
        let byteCount = fragment(framesAt: 0).count
        return index + fragment(framesAt: byteCount + 8) + Self.box("mdat", frames.flatMap { $0 })
    }

    private var lasting: Int { frames.count * 1000 / framesPerSecond }

    private var header: [UInt8] {
        let times = [0, 0, 0, 1000, delay * 1000 + lasting, 0x1_0000].flatMap(Self.big)
        return Self.box("mvhd", times + [UInt8](repeating: 0, count: 76))
    }

    private func track(framesAt place: Int) -> [UInt8] {
        let header = [7, 0, 0, 1, 0, delay * 1000 + lasting].flatMap(Self.big) + [UInt8](repeating: 0, count: 16)
        let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap(Self.big)
        let edits = [0, 2, delay * 1000, -1, 0x1_0000, lasting, 0, 0x1_0000].flatMap(Self.big)
        return Self.box(
            "trak",
            Self.box("tkhd", header + matrix + [width << 16, height << 16].flatMap(Self.big))
                + (delay > 0 ? Self.box("edts", Self.box("elst", edits)) : [])
                + media("vide", entry: entry, count: frames.count, size: frames.first?.count ?? 0, at: place))
    }

    /// A second of audio without data: only its start counts.
    private var sound: [UInt8] {
        guard hasSound else { return [] }
        let header = [7, 0, 0, 2, 0, 1000].flatMap(Self.big) + [UInt8](repeating: 0, count: 60)
        let entry = Self.box(
            "sowt", [0, 1, 0, 0].flatMap(Self.big) + [0, 1, 0, 16] + Self.big(0) + Self.big(8000 << 16))
        return Self.box("trak", Self.box("tkhd", header) + media("soun", entry: entry, count: 10, size: 2, at: 32))
    }

    private func media(_ kind: String, entry: [UInt8], count: Int, size: Int, at place: Int) -> [UInt8] {
        let header = [0, 0, 0, framesPerSecond, count, 0].flatMap(Self.big)
        // One entry, or none where fragments list the samples.
        func run(_ entry: [Int]) -> [UInt8] { (count == 0 ? [0, 0] : [0, 1] + entry).flatMap(Self.big) }
        let handler = Self.big(0) + Array("mhlr\(kind)".utf8) + [UInt8](repeating: 0, count: 13)
        let tables =
            Self.box("stsd", Self.big(0) + Self.big(1) + entry) + Self.box("stts", run([count, 1]))
            + Self.box("stsc", run([1, count, 1]))
            + Self.box("stsz", [0, size, count].flatMap(Self.big))
            + Self.box("stco", run([place]))
        return Self.box(
            "mdia",
            Self.box("mdhd", header) + Self.box("hdlr", handler) + Self.box("minf", Self.box("stbl", tables)))
    }

    private var entry: [UInt8] {
        let fields =
            [0, 1, 0, 0, 0, 0].flatMap(Self.big) + Self.big(width << 16 | height)
            + [0x48_0000, 0x48_0000, 0].flatMap(Self.big) + [0, 1] + [UInt8](repeating: 0, count: 32)
            + [0, format == "raw " ? 24 : 16, 0xFF, 0xFF]
        return Self.box(format, fields + extensions)
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8) + Array(name.utf8) + content
    }

    static func big(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The container's colours: primaries, transfer, matrix (ITU-T H.273) and range.
    static func colours(_ primaries: UInt8, _ transfer: UInt8, _ matrix: UInt8, isFullRange: Bool = false) -> [UInt8] {
        box("colr", Array("nclx".utf8) + [0, primaries, 0, transfer, 0, matrix, isFullRange ? 0x80 : 0])
    }
}
