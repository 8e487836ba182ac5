/// Extracts the text of HTML in one pass.
struct MarkupStripper {
    private let bytes: [UInt8]
    private var index = 0
    private var out: [UInt8] = []
    /// Whether any tag was found.
    private(set) var hasTags = false
    /// Whether `&lt;` was found.
    private(set) var hasEscapedBracket = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func plain() -> String {
        out.reserveCapacity(bytes.count)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): if !markup() { keep() }
            case UInt8(ascii: "&"): entity()
            case 0x09, 0x20: space()
            case 0x0A, 0x0D: lineBreak()
            case 0..<0x20, 0x7F: index += 1
            // The first bytes of longer characters that may be invisible.
            case 0xC2, 0xE1, 0xE2, 0xE3, 0xEF: if !invisible() { keep() }
            default: keep()
            }
        }
        while let last = out.last, last == 0x20 || last == 0x0A { out.removeLast() }
        return String(decoding: out, as: UTF8.self)
    }

    private mutating func keep() {
        out.append(bytes[index])
        index += 1
    }

    private mutating func space() {
        index += 1
        if let last = out.last, last != 0x20, last != 0x0A { out.append(0x20) }
    }

    /// Keeps at most one empty line.
    private mutating func lineBreak() {
        index += 1
        breakLine()
    }

    private mutating func breakLine() {
        while out.last == 0x20 { out.removeLast() }
        let isEmpty = out.count >= 2 && out[out.count - 1] == 0x0A && out[out.count - 2] == 0x0A
        if !out.isEmpty, !isEmpty { out.append(0x0A) }
    }

    /// How a character appears in the text.
    private enum Look {
        case shown
        case space
        case lineBreak
        case nothing
    }

    /// Controls, zero-width characters, direction marks and noncharacters are dropped; a space of any width becomes a
    /// space.
    private static func look(of value: UInt32) -> Look {
        switch value {
        case 0x0A, 0x2028, 0x2029: .lineBreak
        case 0x09, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: .space
        case 0..<0x20, 0x7F...0x9F, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: .nothing
        case 0xFDD0...0xFDEF: .nothing
        default: Unicode.Scalar(value) == nil || value & 0xFFFE == 0xFFFE ? .nothing : .shown
        }
    }

    /// Advances past the last byte of a character, and adds its space or line break.
    private mutating func pass(as look: Look) {
        switch look {
        case .space: space()
        case .lineBreak: lineBreak()
        case .nothing, .shown: index += 1
        }
    }

    /// Consumes a character of two or three bytes that is not shown as it is.
    private mutating func invisible() -> Bool {
        guard let scalar = Self.scalar(bytes, index) else { return false }
        let look = Self.look(of: scalar)
        guard look != .shown else { return false }
        index += bytes[index] == 0xC2 ? 1 : 2
        pass(as: look)
        return true
    }

    /// The scalar of two or three bytes at an index; `nil` if they do not form one.
    private static func scalar(_ bytes: [UInt8], _ index: Int) -> UInt32? {
        let count = bytes[index] == 0xC2 ? 2 : 3
        guard index + count <= bytes.count else { return nil }
        var value = UInt32(bytes[index] & (count == 2 ? 0x1F : 0x0F))
        for byte in bytes[index + 1..<index + count] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return value
    }

    /// Skips a tag, a comment or a declaration; `false` if none begins here.
    private mutating func markup() -> Bool {
        guard index + 1 < bytes.count else { return false }
        let rest = bytes[index...]
        if rest.starts(with: "<!--".utf8) {
            skip(past: "-->")
        } else if rest.starts(with: "<![CDATA[".utf8) {
            index += 9
        } else if bytes[index + 1] == UInt8(ascii: "!") || bytes[index + 1] == UInt8(ascii: "?") {
            skip(past: ">")
        } else {
            return tag()
        }
        hasTags = true
        return true
    }

    private mutating func tag() -> Bool {
        let isEnd = bytes[index + 1] == UInt8(ascii: "/")
        let start = index + (isEnd ? 2 : 1)
        var end = start
        while end < bytes.count, end - start < 40, isNameByte(bytes[end]) { end += 1 }
        let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        let isKnown = MarkupText.blocks.contains(name) || MarkupText.inline.contains(name)
        let isSilent = MarkupText.silent.contains(name)
        // Elements of other vocabularies, such as `o:p`.
        guard isKnown || isSilent || name.contains(":") || name.contains("-"), name.first?.isLetter == true else {
            return false
        }
        hasTags = true
        let isClosed = skipAttributes(from: end)
        if isSilent, !isEnd, !isClosed {
            skip(past: "</\(name)")
            skip(past: ">")
        }
        if MarkupText.blocks.contains(name) {
            breakLine()
            if name == "li", !isEnd { out += "• ".utf8 }
        }
        return true
    }

    /// Advances past the tag, and returns whether it closes itself. Quoted attributes may contain a bracket.
    private mutating func skipAttributes(from first: Int) -> Bool {
        var end = first
        var quote: UInt8?
        while end < bytes.count {
            let byte = bytes[end]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            end += 1
        }
        index = min(bytes.count, end + 1)
        return end > first && end <= bytes.count && bytes[end - 1] == UInt8(ascii: "/")
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "-")
    }

    /// Advances past the next occurrence of a text, given in lower case, or to the end.
    private mutating func skip(past text: String) {
        let wanted = Array(text.utf8)
        while index < bytes.count {
            if index + wanted.count <= bytes.count,
                zip(bytes[index...], wanted).allSatisfy({ ((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) == $1 })
            {
                index += wanted.count
                return
            }
            index += 1
        }
    }

    private mutating func entity() {
        let end = bytes[index...].prefix(Self.longestEntity).firstIndex(of: UInt8(ascii: ";"))
        guard let end, let value = Self.value(ofEntity: String(decoding: bytes[index + 1..<end], as: UTF8.self)) else {
            return keep()
        }
        index = end
        let look = Self.look(of: value)
        if look == .shown, let scalar = Unicode.Scalar(value) {
            if scalar == "<" { hasEscapedBracket = true }
            out += UTF8.encode(scalar)!
        }
        pass(as: look)
    }

    private static let longestEntity = 16

    /// The code point of a named or numeric entity, even if no character has it; `nil` for any other text.
    private static func value(ofEntity name: String) -> UInt32? {
        guard name.hasPrefix("#") else { return MarkupText.entities[name]?.unicodeScalars.first?.value }
        let isHex = name.dropFirst().first == "x" || name.dropFirst().first == "X"
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && (isHex ? $0.isHexDigit : $0.isNumber) }) else {
            return nil
        }
        let value = UInt32(digits, radix: isHex ? 16 : 10) ?? .max
        return (0x80...0x9F).contains(value) ? windows[Int(value) - 0x80] : value
    }

    /// The characters of Windows-1252 from 0x80, which HTML uses in place of controls (HTML, 13.2.5.80); 0 if there is
    /// none.
    private static let windows: [UInt32] = [
        0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0, 0x17E, 0x178,
    ]
}
