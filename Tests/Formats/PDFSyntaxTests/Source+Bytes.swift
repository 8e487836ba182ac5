import Formats
import Linux

extension Source {
    /// A file in memory.
    init(_ bytes: [UInt8]) throws {
        let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
        try file.write(bytes)
        try self.init(file)
    }
}
