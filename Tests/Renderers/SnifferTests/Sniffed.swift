import Formats
import Linux
import Media
import Rendering
import Sniffer
import Testing

/// The sniffer's facts of a file in memory.
func sniffed(_ bytes: [UInt8]) throws -> Facts {
    try Sniffer().sniff(source(bytes))
}

func sniffed(_ text: String) throws -> Facts { try sniffed(Array(text.utf8)) }

/// The name of the sniffed media type.
func typeName(_ bytes: [UInt8]) throws -> String { try sniffed(bytes).mediaType.rawValue }

func typeName(_ text: String) throws -> String { try typeName(Array(text.utf8)) }

func source(_ bytes: [UInt8]) throws -> Source {
    let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
    try file.write(bytes)
    return try Source(file)
}

extension FixedWidthInteger {
    /// The bytes in little-endian order.
    var little: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { Array($0) } }
    /// The bytes in big-endian order.
    var big: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { Array($0) } }
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

func littleUTF16(_ text: String) -> [UInt8] { text.utf16.reduce(into: []) { $0 += $1.little } }

func bigUTF16(_ text: String) -> [UInt8] { text.utf16.reduce(into: []) { $0 += $1.big } }

func littleUTF32(_ text: String) -> [UInt8] { text.unicodeScalars.reduce(into: []) { $0 += $1.value.little } }

func bigUTF32(_ text: String) -> [UInt8] { text.unicodeScalars.reduce(into: []) { $0 += $1.value.big } }
