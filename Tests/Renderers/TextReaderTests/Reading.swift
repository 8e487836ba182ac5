import ArchiveBuilding
import Formats
import Linux
import Media
import TextReader

/// Reads files that tests have in memory.
enum Reading {
    static func text(_ bytes: [UInt8], as type: MediaType) throws -> DocumentText {
        let file = try MemoryFile.create(name: "source", byteCount: max(1, bytes.count))
        try file.write(bytes)
        var reader = try TextReader(as: .text)
        reader.prepare(for: type)
        let text = try reader.text(of: try Source(file), as: type)
        // What the host gets is what was read.
        precondition(text.paragraphs.count <= DocumentText.mostParagraphs, "the bound of paragraphs")
        precondition(
            text.paragraphs.reduce(0) { $0 + $1.text.utf8.count } <= DocumentText.longestText, "the bound of text")
        return text
    }

    static func lines(_ bytes: [UInt8], as type: MediaType) throws -> [String] {
        try text(bytes, as: type).paragraphs.map(\.text)
    }

    /// The code of the failure to read; `nil` where there is none.
    static func failure(_ bytes: [UInt8], as type: MediaType) throws -> Failure.Code? {
        do {
            _ = try text(bytes, as: type)
            return nil
        } catch let failure as Failure {
            return failure.code
        }
    }

    static let openDocument = MediaType(rawValue: "application/vnd.oasis.opendocument.text")
}

extension FixedWidthInteger {
    /// The bytes in little-endian order.
    var little: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { Array($0) } }
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
