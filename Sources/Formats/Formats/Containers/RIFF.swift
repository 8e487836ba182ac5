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
        var walker = RIFFChunkWalker(source, in: header)
        var streamCount = 0
        while let chunk = try walker.next() {
            guard let stream = chunk.list(of: "strl") else { continue }
            guard let type = try streamType(stream, source) else { return nil }
            if type == "vids" { return true }
            streamCount += 1
        }
        return walker.isComplete && streamCount > 0 ? false : nil
    }

    private static func streamType(_ stream: Range<Int64>, _ source: BoundedSource) throws(Failure) -> String? {
        var walker = RIFFChunkWalker(source, in: stream)
        while let chunk = try walker.next() {
            if chunk.id == "strh" { return chunk.firstLetters }
        }
        return nil
    }

    private static func list(
        _ type: String, in range: Range<Int64>, _ source: BoundedSource
    ) throws(Failure) -> Range<Int64>? {
        guard !range.isEmpty else { return nil }
        var walker = RIFFChunkWalker(source, in: range)
        while let chunk = try walker.next() {
            if let list = chunk.list(of: type) { return list }
        }
        return nil
    }
}
