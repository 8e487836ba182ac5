import Formats
import Linux

/// Bytes as an open file, as a child gets them.
enum InMemory {
    /// `nil` where the machine has no memory or no descriptor left.
    static func source(_ bytes: [UInt8]) -> Source? {
        guard let file = try? MemoryFile.create(name: "fuzz", byteCount: bytes.count),
            (try? file.write(bytes)) != nil
        else { return nil }
        return try? Source(file)
    }
}
