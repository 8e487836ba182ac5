internal import Formats
internal import Media
internal import Rendering

/// What stands beside a track's codec in an MP4 or QuickTime file (`stsd`; ISO/IEC 14496-12, 8.5.2) and FFmpeg's demuxer
/// passes over.
///
/// The file's bytes are read as hostile: each walk is bounded, and what makes no sense is as if it were not there.
struct SampleEntry {
    private let source: Source
    private let boxes: Range<Int64>

    /// The first entry of the track of this number; `nil` where it is not found.
    init?(ofTrack number: Int, in source: Source) {
        self.source = source
        let file = 0..<source.byteCount
        guard let movie = Self.child("moov", of: file, source) else { return nil }
        var track: Range<Int64>?
        Self.walk(movie, source) { type, content in
            guard type == "trak", Self.number(ofTrack: content, source) == number else { return true }
            track = content
            return false
        }
        guard let boxes = track.flatMap({ Self.boxes(ofTrack: $0, source) }) else { return nil }
        self.boxes = boxes
    }

    /// Where the names of the clean apertures of all tracks stand.
    static func apertureNames(in source: Source) -> [Int64] {
        guard let movie = child("moov", of: 0..<source.byteCount, source) else { return [] }
        var places: [Int64] = []
        walk(movie, source) { type, content in
            guard type == "trak", let boxes = boxes(ofTrack: content, source) else { return true }
            if let clap = child("clap", of: boxes, source) { places.append(clap.lowerBound - 4) }
            return true
        }
        return places
    }

    private static func boxes(ofTrack track: Range<Int64>, _ source: Source) -> Range<Int64>? {
        var place: Range<Int64>? = track
        for type in ["mdia", "minf", "stbl", "stsd"] {
            place = place.flatMap { child(type, of: $0, source) }
        }
        // Version, flags and a count; then the entry, whose own fields take 78 bytes behind its header.
        guard let place, place.count > 16 + 78,
            let entry = box(at: place.lowerBound + 8, before: place.upperBound, source), entry.content.count > 78
        else { return nil }
        return entry.content.lowerBound + 78..<entry.content.upperBound
    }

    /// The eight numbers of its clean aperture; `nil` where it has none.
    var cleanAperture: [Int32]? {
        guard let place = Self.child("clap", of: boxes, source), place.count >= 32 else { return nil }
        let bytes = Self.bytes(at: place.lowerBound, count: 32, source)
        return bytes.count == 32 ? (0..<8).map { Int32(truncatingIfNeeded: Self.number(bytes, $0 * 4)) } : nil
    }

    /// How long a whole movie says that it lasts (`mvhd`; ISO/IEC 14496-12, 8.2.2), in seconds. FFmpeg 7 tells it only after an
    /// analysis. `nil` for a movie in fragments, whose header does not know it.
    static func movieDuration(in source: Source) -> Double? {
        guard let movie = child("moov", of: 0..<source.byteCount, source), child("mvex", of: movie, source) == nil,
            let header = child("mvhd", of: movie, source)
        else { return nil }
        let bytes = bytes(at: header.lowerBound, count: 32, source)
        guard bytes.count == 32 else { return nil }
        // The times before these have 64 bits from version 1 on, and so has the duration.
        let isLong = bytes[0] != 0
        let scale = number(bytes, isLong ? 20 : 12)
        let low = UInt64(number(bytes, isLong ? 28 : 16))
        let duration = isLong ? UInt64(number(bytes, 24)) << 32 | low : low
        // All bits set: not known.
        guard scale > 0, duration > 0, duration < (isLong ? .max : UInt64(UInt32.max)) else { return nil }
        return Double(duration) / Double(scale)
    }

    private static func number(ofTrack track: Range<Int64>, _ source: Source) -> Int? {
        guard let header = child("tkhd", of: track, source) else { return nil }
        // The times before it have 64 bits from version 1 on.
        let bytes = bytes(at: header.lowerBound, count: 24, source)
        guard bytes.count == 24 else { return nil }
        return Int(number(bytes, bytes[0] == 0 ? 12 : 20))
    }
}

extension SampleEntry {
    private static let boxLimit = 1000

    private static func child(_ type: String, of range: Range<Int64>, _ source: Source) -> Range<Int64>? {
        var found: Range<Int64>?
        walk(range, source) { name, content in
            if name == type { found = content }
            return found == nil
        }
        return found
    }

    /// Gives away box after box, until `visit` returns false or they end.
    private static func walk(
        _ range: Range<Int64>, _ source: Source, _ visit: (_ type: String, _ content: Range<Int64>) -> Bool
    ) {
        var place = range.lowerBound
        for _ in 0..<boxLimit {
            guard let box = box(at: place, before: range.upperBound, source) else { return }
            guard visit(box.type, box.content) else { return }
            place = box.content.upperBound
        }
    }

    private static func box(
        at place: Int64, before end: Int64, _ source: Source
    ) -> (type: String, content: Range<Int64>)? {
        let header = bytes(at: place, count: 16, source)
        guard header.count >= 8, place <= end - 8 else { return nil }
        let type = String(decoding: header[4..<8], as: UTF8.self)
        switch number(header, 0) {
        case 0: return (type, place + 8..<end)
        case 1:
            guard header.count == 16 else { return nil }
            let size = UInt64(number(header, 8)) << 32 | UInt64(number(header, 12))
            guard size >= 16, size <= UInt64(end - place) else { return nil }
            return (type, place + 16..<place + Int64(size))
        case let size:
            guard size >= 8, Int64(size) <= end - place else { return nil }
            return (type, place + 8..<place + Int64(size))
        }
    }

    /// Fewer only at the end of the file, none where it cannot be read.
    private static func bytes(at place: Int64, count: Int, _ source: Source) -> [UInt8] {
        (try? source.bytes(at: place, count: count)) ?? []
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
