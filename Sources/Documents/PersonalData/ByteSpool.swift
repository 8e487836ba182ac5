internal import Linux

/// Bytes that are written piece by piece, and then read once in the same order. From 64 KiB on they go to an unnamed
/// file.
struct ByteSpool {
    private let folder: String
    private var file: Descriptor?
    private var fileByteCount: Int64 = 0
    private var readByteCount: Int64 = 0
    /// The bytes that are not in the file.
    private var tail: [UInt8] = []

    private static let memoryByteCount = 64 << 10
    private static let pieceByteCount: Int64 = 1 << 20

    /// - Parameter folder: where the file is made.
    init(in folder: String) { self.folder = folder }

    /// How many bytes were written.
    var byteCount: UInt64 { UInt64(fileByteCount) + UInt64(tail.count) }

    mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        tail += bytes
        guard tail.count >= Self.memoryByteCount else { return }
        if file == nil { file = try Descriptor.unnamed(in: folder) }
        try file?.write(tail)
        fileByteCount += Int64(tail.count)
        tail.removeAll(keepingCapacity: true)
    }

    /// The next bytes, at most 1 MiB; `nil` at the end. Nothing may be written once reading has begun.
    mutating func next() throws(SystemError) -> [UInt8]? {
        if let file, readByteCount < fileByteCount {
            let count = Int(min(Self.pieceByteCount, fileByteCount - readByteCount))
            let piece = try file.bytes(at: readByteCount, count: count)
            readByteCount += Int64(count)
            return piece
        }
        file = nil
        defer { tail = [] }
        return tail.isEmpty ? nil : tail
    }
}
