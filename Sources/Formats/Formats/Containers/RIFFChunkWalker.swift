internal import Media

/// A chunk: a four-character code and a payload, truncated at the end of the enclosing list.
struct RIFFChunk {
    /// The four-character code.
    let id: String
    /// The range of the bytes after the header.
    let payload: Range<Int64>
    /// The first four bytes of the payload: the type of a list or of a stream.
    let firstLetters: String

    /// The range of the chunks inside a list of a type; `nil` for other chunks.
    func list(of type: String) -> Range<Int64>? {
        id == "LIST" && firstLetters == type ? payload.lowerBound + 4..<payload.upperBound : nil
    }
}

/// Iterates over the chunks in a range of a file, at most 256.
struct RIFFChunkWalker {
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

    /// The next chunk with at least four bytes; shorter chunks are skipped.
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
