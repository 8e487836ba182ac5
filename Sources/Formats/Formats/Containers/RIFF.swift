internal import Media

/// RIFF files (Microsoft, Multimedia Programming Interface 1.0): WebP, AVI, WAV.
enum RIFF: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        guard ["RIFF", "RF64", "BW64"].contains(source.head.text(at: 0, count: 4)) else { return nil }
        switch source.head.text(at: 8, count: 4) {
        case "WEBP": return Finding(.webp)
        case "AVI ": return Finding(.avi, hasVideo: try hasVideo(in: source))
        case "WAVE": return Finding("audio/x-wav")
        default: return nil
        }
    }

    /// A stream header of the type `vids`, in one of the stream lists of the header list.
    private static func hasVideo(in source: BoundedSource) throws(Failure) -> Bool? {
        guard let header = try list("hdrl", in: 12..<source.byteCount, source) else { return nil }
        var walk = ChunkWalk(source, in: header)
        var streamCount = 0
        while let chunk = try walk.next() {
            guard let stream = chunk.list(of: "strl") else { continue }
            guard let type = try streamType(stream, source) else { return nil }
            if type == "vids" { return true }
            streamCount += 1
        }
        return walk.isComplete && streamCount > 0 ? false : nil
    }

    private static func streamType(_ stream: Range<Int64>, _ source: BoundedSource) throws(Failure) -> String? {
        var walk = ChunkWalk(source, in: stream)
        while let chunk = try walk.next() {
            if chunk.id == "strh" { return chunk.firstLetters }
        }
        return nil
    }

    private static func list(_ type: String, in range: Range<Int64>, _ source: BoundedSource) throws(Failure) -> Range<
        Int64
    >? {
        guard !range.isEmpty else { return nil }
        var walk = ChunkWalk(source, in: range)
        while let chunk = try walk.next() {
            if let list = chunk.list(of: type) { return list }
        }
        return nil
    }
}

/// A chunk: four letters and a payload, cut to its parent's end.
struct RIFFChunk {
    let id: String
    let payload: Range<Int64>
    /// The payload's first four bytes: a list's or a stream's type.
    let firstLetters: String

    /// What is inside, where this is a list of that type.
    func list(of type: String) -> Range<Int64>? {
        id == "LIST" && firstLetters == type ? payload.lowerBound + 4..<payload.upperBound : nil
    }
}

/// Chunks that follow each other within a range of the file, at most 256 of them.
struct ChunkWalk {
    private let source: BoundedSource
    private var offset: Int64
    private let end: Int64
    private var chunksLeft = 256

    /// Whether the walk ended at the range's end.
    var isComplete: Bool { end - offset < 8 }

    init(_ source: BoundedSource, in range: Range<Int64>) {
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The next chunk of four bytes or more; shorter ones are passed over.
    mutating func next() throws(Failure) -> RIFFChunk? {
        while chunksLeft > 0, end - offset >= 12, let header = try source.bytes(at: offset, count: 12),
            let size = header.little(UInt32.self, at: 4)
        {
            chunksLeft -= 1
            let start = offset + 8
            let payloadEnd = min(end, start + Int64(size))
            // Chunks begin at even offsets.
            offset = min(end, payloadEnd + Int64(size & 1))
            if size >= 4, let id = header.text(at: 0, count: 4), let letters = header.text(at: 8, count: 4) {
                return RIFFChunk(id: id, payload: start..<payloadEnd, firstLetters: letters)
            }
        }
        return nil
    }
}
