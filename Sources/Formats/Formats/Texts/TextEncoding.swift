/// The encoding of a text, in the detail that recognition needs.
package enum TextEncoding: Equatable {
    /// An encoding that extends ASCII: UTF-8, ISO 8859, Windows code pages, Shift_JIS, GB 18030, …
    case overASCII
    case utf16(isLittle: Bool)
    case utf32(isLittle: Bool)

    /// The encoding of a text; `nil` if the bytes are not text.
    ///
    /// - Parameter isWhole: whether these are all bytes of the file; else the last character may be cut.
    package static func of(_ bytes: Bytes, isWhole: Bool) -> TextEncoding? {
        let candidate = byMark(bytes) ?? byZeros(bytes) ?? .overASCII
        switch candidate {
        case .utf16(let isLittle):
            return UTF16Text.isSound(bytes, isLittle: isLittle, isWhole: isWhole) ? candidate : nil
        case .utf32(let isLittle): return isSoundUTF32(bytes, isLittle: isLittle) ? candidate : nil
        case .overASCII: return hasOnlyTextBytes(bytes) ? candidate : nil
        }
    }

    private static func byMark(_ bytes: Bytes) -> TextEncoding? {
        if bytes.has([0xEF, 0xBB, 0xBF]) { return .overASCII }
        // Tested before UTF-16's mark, which is a prefix of this one.
        if bytes.has([0xFF, 0xFE, 0, 0]) { return .utf32(isLittle: true) }
        if bytes.has([0, 0, 0xFE, 0xFF]) { return .utf32(isLittle: false) }
        if bytes.has([0xFF, 0xFE]) { return .utf16(isLittle: true) }
        return bytes.has([0xFE, 0xFF]) ? .utf16(isLittle: false) : nil
    }

    /// UTF-16 without a byte order mark, by the zero halves of ASCII characters.
    private static func byZeros(_ bytes: Bytes) -> TextEncoding? {
        let sample = bytes.first(4096)
        let offsets = stride(from: 0, to: sample.count - 1, by: 2)
        let little = offsets.count { isASCII(sample[$0]) && sample[$0 + 1] == 0 }
        let big = offsets.count { isASCII(sample[$0 + 1]) && sample[$0] == 0 }
        let (fewer, more) = (min(little, big), max(little, big))
        guard more >= max(2, sample.count / 16), fewer <= more / 2 else { return nil }
        return .utf16(isLittle: little > big)
    }

    private static func isASCII(_ byte: UInt8?) -> Bool {
        byte.map { ASCII.isSpace($0) || (0x20..<0x7F).contains($0) } ?? false
    }

    /// Whether all control codes occur in text: bell to carriage return, escape (ISO 2022), and DOS's end-of-file mark
    /// at the end.
    private static func hasOnlyTextBytes(_ bytes: Bytes) -> Bool {
        bytes.withBuffer { buffer in
            // A single non-ASCII byte proves nothing.
            if buffer.count == 1 && buffer[0] >= 0x80 { return false }
            let text = buffer.last == 0x1A ? buffer.dropLast() : buffer[...]
            return text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x07...0x0D).contains($0) || $0 == 0x1B }
        }
    }

    private static func isSoundUTF32(_ bytes: Bytes, isLittle: Bool) -> Bool {
        stride(from: 0, to: bytes.count - 3, by: 4).allSatisfy { offset in
            let value = isLittle ? bytes.little(UInt32.self, at: offset) : bytes.big(UInt32.self, at: offset)
            return value.flatMap(Unicode.Scalar.init).map { isText($0) } ?? false
        }
    }

    /// Whether a character occurs in text: no other control code, private-use character or noncharacter.
    static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x07...0x0D, 0x1B, 0x1A, 0x85: true
        case 0..<0x20, 0x7F...0x9F, 0xE000...0xF8FF, 0xFDD0...0xFDEF: false
        case 0xF_0000...: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}

extension TextEncoding {
    /// The text without its byte order mark in an encoding that extends ASCII; in UTF-16 and UTF-32, non-ASCII
    /// characters become 0xFF bytes.
    func asciiView(of bytes: Bytes) -> Bytes {
        switch self {
        case .overASCII: bytes.has([0xEF, 0xBB, 0xBF]) ? bytes.dropping(3) : bytes
        case .utf16(let isLittle): Self.narrowed(bytes, unit: UInt16.self, isLittle: isLittle)
        case .utf32(let isLittle): Self.narrowed(bytes, unit: UInt32.self, isLittle: isLittle)
        }
    }

    private static func narrowed<Unit: FixedWidthInteger & UnsignedInteger>(
        _ bytes: Bytes, unit: Unit.Type, isLittle: Bool
    ) -> Bytes {
        let size = Unit.bitWidth / 8
        var narrow: [UInt8] = []
        for offset in stride(from: 0, to: bytes.count - size + 1, by: size) {
            let value = (isLittle ? bytes.little(Unit.self, at: offset) : bytes.big(Unit.self, at: offset)) ?? 0
            if offset == 0 && value == 0xFEFF { continue }
            narrow.append(value < 0x80 ? UInt8(value) : 0xFF)
        }
        return Bytes(narrow)
    }
}
