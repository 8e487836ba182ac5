internal import Media

/// Recognises RIFF files (Microsoft, Multimedia Programming Interface 1.0): WebP, AVI, WAV.
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

    /// Whether a stream list in the header list has a stream header of type `vids`.
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

    private static func list(
        _ type: String, in range: Range<Int64>, _ source: BoundedSource
    ) throws(Failure) -> Range<Int64>? {
        guard !range.isEmpty else { return nil }
        var walk = ChunkWalk(source, in: range)
        while let chunk = try walk.next() {
            if let list = chunk.list(of: type) { return list }
        }
        return nil
    }
}

/// A chunk: a four-character code and a payload, cut to the end of the enclosing list.
struct RIFFChunk {
    let id: String
    let payload: Range<Int64>
    /// The first four bytes of the payload: the type of a list or of a stream.
    let firstLetters: String

    /// The range of the chunks inside a list of a type; `nil` for other chunks.
    func list(of type: String) -> Range<Int64>? {
        id == "LIST" && firstLetters == type ? payload.lowerBound + 4..<payload.upperBound : nil
    }
}

/// Steps over the chunks of one range of a file, 256 at most.
struct ChunkWalk {
    private let source: BoundedSource
    private var offset: Int64
    private let end: Int64
    private var chunksLeft = 256

    /// Whether the walk reached the end of the range.
    var isComplete: Bool { end - offset < 8 }

    init(_ source: BoundedSource, in range: Range<Int64>) {
        self.source = source
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The next chunk of four bytes or more; shorter ones are skipped.
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
