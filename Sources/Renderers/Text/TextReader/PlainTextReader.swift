internal import Formats
internal import Media

/// Reads plain text: one paragraph per line, one page per form feed.
enum PlainTextReader {
    /// - Throws: `corrupt` if the bytes are not text.
    static func text(of source: BoundedSource) throws(Failure) -> DocumentText {
        guard let bytes = try source.available(at: 0, count: mostBytes) else { throw Failure(.corrupt) }
        let isWhole = Int64(bytes.count) == source.byteCount
        guard let encoding = TextEncoding.of(bytes, isWhole: isWhole) else {
            throw Failure(.corrupt, detail: "no text in a known encoding")
        }
        var collector = TextCollector()
        var (line, page, isAfterReturn) = (TextBuffer(), 0, false)
        func endLine() {
            collector.add(TextParagraph(line.text, page: page))
            if line.isCut { collector.markCut() }
            line = TextBuffer()
        }
        for scalar in String(decoding: bytes, in: encoding, isWhole: isWhole).unicodeScalars {
            switch scalar {
            case "\n" where isAfterReturn: break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": endLine()
            case "\u{C}":
                if !line.text.isEmpty { endLine() }
                page = min(page + 1, DocumentText.mostPages - 1)
            case "\u{FEFF}": break
            default: line.append(scalar)
            }
            isAfterReturn = scalar == "\r"
            if collector.isFull { break }
        }
        if !line.text.isEmpty { endLine() }
        if !isWhole { collector.markCut() }
        return collector.text
    }

    /// Four bytes for each character, so that this cuts no text that the limit of `DocumentText` allows.
    private static let mostBytes = 4 * DocumentText.longestText + 4
}

extension String {
    /// The text of bytes in an encoding; a superset of ASCII is UTF-8 if that is valid, else Windows-1252.
    fileprivate init(decoding bytes: Bytes, in encoding: TextEncoding, isWhole: Bool) {
        self = bytes.withBuffer { buffer in
            switch encoding {
            case .overASCII:
                let end = isWhole ? buffer.count : Self.wholeCharacters(of: buffer)
                return String(validating: buffer[..<end], as: UTF8.self)
                    ?? String(String.UnicodeScalarView(buffer.map { CodePage.windows1252.scalar(of: $0) }))
            case .utf16(let isLittle): return String(decoding: units(buffer, UInt16.self, isLittle), as: UTF16.self)
            case .utf32(let isLittle): return String(decoding: units(buffer, UInt32.self, isLittle), as: UTF32.self)
            }
        }
    }

    /// The length of UTF-8 without a truncated character at its end.
    private static func wholeCharacters(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        for back in 1...4 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 != 0x80 { return byte >= 0xC0 ? bytes.count - back : bytes.count }
        }
        return bytes.count
    }
}

private func units<Unit: FixedWidthInteger>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ unit: Unit.Type, _ isLittle: Bool
) -> [Unit] {
    let size = Unit.bitWidth / 8
    return (0..<bytes.count / size).map { index in
        var value: Unit = 0
        for place in 0..<size {
            value = value << 8 | Unit(truncatingIfNeeded: bytes[index * size + (isLittle ? size - 1 - place : place)])
        }
        return value
    }
}
