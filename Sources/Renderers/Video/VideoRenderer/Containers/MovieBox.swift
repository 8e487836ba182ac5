internal import Formats
internal import Media

/// The `moov` box of an MP4 or QuickTime file (ISO/IEC 14496-12, 8.2.1), read for fields that FFmpeg's demuxer ignores.
///
/// A field that is damaged or cannot be read counts as absent.
struct MovieBox {
    private let source: BoundedSource
    private let payload: Range<Int64>

    /// Finds the file's first `moov` box; `nil` if there is none.
    init?(in source: Source) {
        guard let bounded = try? BoundedSource(source) else { return nil }
        var walker = ISOBoxWalker(bounded)
        guard let box = try? walker.next("moov") else { return nil }
        self.source = bounded
        payload = box.payload
    }

    /// The movie's duration in seconds (`mvhd`, 8.2.2), which FFmpeg 7 knows only after an analysis.
    ///
    /// `nil` for a fragmented movie, whose header does not state the duration.
    var duration: Double? { try? statedDuration() }

    /// The clean aperture of a track (`clap`, 12.1.4): its eight integers; `nil` if the track has none.
    ///
    /// - Parameter number: the track's `track_ID`.
    func cleanAperture(ofTrack number: Int) -> [Int32]? { try? statedAperture(ofTrack: number) }

    /// The places of the four-character codes of all tracks' clean apertures in the file.
    var cleanAperturePlaces: [Int64] {
        let boxes = try? tracks().compactMap { track throws(Failure) in try apertureBox(ofTrack: track) }
        return (boxes ?? []).map { $0.payload.lowerBound - 4 }
    }
}

extension MovieBox {
    private func statedDuration() throws(Failure) -> Double? {
        guard try child("mvex", of: payload) == nil, let header = try child("mvhd", of: payload),
            let fields = try source.bytes(at: header.payload.lowerBound, count: 32), let version = fields[0]
        else { return nil }
        // From version 1, the duration and the two times before these fields have 64 bits.
        let isLong = version != 0
        let stated = isLong ? fields.big(UInt64.self, at: 24) : fields.big(UInt32.self, at: 16).map(UInt64.init)
        guard let timescale = fields.big(UInt32.self, at: isLong ? 20 : 12), let stated else { return nil }
        // All bits set: unknown.
        guard timescale > 0, stated > 0, stated < (isLong ? .max : UInt64(UInt32.max)) else { return nil }
        return Double(stated) / Double(timescale)
    }

    private func statedAperture(ofTrack number: Int) throws(Failure) -> [Int32]? {
        for track in try tracks() where try self.number(ofTrack: track) == number {
            guard let box = try apertureBox(ofTrack: track), box.payload.count >= 32,
                let fields = try source.bytes(at: box.payload.lowerBound, count: 32)
            else { return nil }
            return (0..<8).compactMap { fields.big(UInt32.self, at: $0 * 4).map(Int32.init(bitPattern:)) }
        }
        return nil
    }

    private func tracks() throws(Failure) -> [Range<Int64>] {
        var walker = ISOBoxWalker(source, in: payload)
        var tracks: [Range<Int64>] = []
        while let box = try walker.next("trak") { tracks.append(box.payload) }
        return tracks
    }

    /// The `track_ID` in `tkhd` (8.3.2).
    private func number(ofTrack track: Range<Int64>) throws(Failure) -> Int? {
        guard let header = try child("tkhd", of: track),
            let fields = try source.bytes(at: header.payload.lowerBound, count: 24)
        else { return nil }
        // From version 1, the two times before it have 64 bits.
        return fields.big(UInt32.self, at: fields[0] == 0 ? 12 : 20).map(Int.init)
    }

    /// The `clap` box in the first sample entry of a track.
    private func apertureBox(ofTrack track: Range<Int64>) throws(Failure) -> ISOBox? {
        var range = track
        for type in ["mdia", "minf", "stbl", "stsd"] {
            guard let box = try child(type, of: range) else { return nil }
            range = box.payload
        }
        // `stsd` begins with its version, flags and a count of entries.
        guard range.count > 8 else { return nil }
        var walker = ISOBoxWalker(source, in: range.lowerBound + 8..<range.upperBound, limit: 1)
        guard let entry = try walker.next(), !entry.isCut, entry.payload.count > Self.visualFieldByteCount else {
            return nil
        }
        return try child("clap", of: entry.payload.lowerBound + Self.visualFieldByteCount..<entry.payload.upperBound)
    }

    /// The fields of a `VisualSampleEntry` (12.1.3), which precede its boxes.
    private static let visualFieldByteCount: Int64 = 78

    private func child(_ type: String, of range: Range<Int64>) throws(Failure) -> ISOBox? {
        var walker = ISOBoxWalker(source, in: range)
        return try walker.next(type)
    }
}
