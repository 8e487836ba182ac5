internal import Media

extension ZipEntry {
    /// The first `limit` bytes of the entry's content; `nil` if it is encrypted, damaged, or neither stored nor
    /// deflated.
    func content(in source: BoundedSource, limit: Int) throws(Failure) -> Bytes? {
        guard !isEncrypted, let start = try contentOffset(in: source) else { return nil }
        // The size may follow the data; a deflated stream marks its own end.
        let size = compressedSize == 0 && method == 8 ? UInt64(limit) : min(compressedSize, UInt64(limit))
        guard let data = try source.available(at: start, count: Int(size)) else { return nil }
        switch method {
        case 0: return data
        case 8: return Inflation.inflate(data, limit: limit)
        default: return nil
        }
    }

    /// Lends the entry's content piece by piece until `body` has enough.
    ///
    /// - Returns: whether the content was lent to its end.
    func readContent(
        in source: BoundedSource, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        guard !isEncrypted, method == 0 || method == 8, let start = try contentOffset(in: source) else { return false }
        // The size may follow the data; a deflated stream marks its own end.
        let end = compressedSize == 0 && method == 8 ? source.byteCount : start &+ Int64(clamping: compressedSize)
        guard let stream = Inflation.Stream() else { throw Failure(.tooLarge, detail: Failure.memoryDetail) }
        var offset = start
        while offset < end, !stream.isFinished {
            guard let piece = try source.available(at: offset, count: Int(min(end - offset, Self.pieceByteCount))),
                piece.count > 0
            else { return false }
            offset += Int64(piece.count)
            let result = piece.withBuffer { bytes in
                Result { () throws(Failure) in
                    method == 0 ? try body(bytes) : try stream.inflate(bytes, body)
                }
            }
            if try !result.get() { return false }
        }
        return method == 0 || stream.isFinished
    }

    private static let pieceByteCount: Int64 = 64 << 10

    /// The offset of the content, after the local header; `nil` if the header is invalid.
    private func contentOffset(in source: BoundedSource) throws(Failure) -> Int64? {
        guard let header = try source.bytes(at: offset, count: 30), header.has("PK\u{3}\u{4}"),
            let nameLength = header.little(UInt16.self, at: 26), let extraLength = header.little(UInt16.self, at: 28)
        else { return nil }
        return offset + 30 + Int64(nameLength) + Int64(extraLength)
    }
}
