/// Plain text of HTML, for texts that are only read.
///
/// The result has no markup: it is not HTML that was made safe, and whoever shows it in a page escapes it as any text.
public enum MarkupText {
    /// The text without tags, comments, scripts and styles, with paragraphs and items on lines of their own.
    ///
    /// Text without `<` and `&` is only freed of control characters.
    public static func plain(_ text: String) -> String {
        var stripper = Stripper(bytes: Array(text.utf8))
        return stripper.plain()
    }

    /// Tags whose content is no text.
    private static let silent: Set<String> = [
        "script", "style", "template", "noscript", "iframe", "object", "svg", "head", "title",
    ]
    /// Tags that begin a line.
    private static let blocks: Set<String> = [
        "p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
        "header",
        "footer", "blockquote", "pre", "hr", "dt", "dd",
    ]
    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "bull": "•",
        "rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "hellip": "…", "eacute": "é", "uuml": "ü", "ouml": "ö",
        "auml": "ä", "szlig": "ß", "middot": "·", "trade": "™", "reg": "®", "copy": "©", "euro": "€", "pound": "£",
    ]

    private struct Stripper {
        let bytes: [UInt8]
        var index = 0
        var out: [UInt8] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func plain() -> String {
            out.reserveCapacity(bytes.count)
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "<") where isTag: tag()
                case UInt8(ascii: "&"): entity()
                case 0x09, 0x20: space()
                case 0x0A, 0x0D: lineBreak()
                case 0..<0x20, 0x7F: index += 1
                default:
                    out.append(bytes[index])
                    index += 1
                }
            }
            while let last = out.last, last == 0x20 || last == 0x0A { out.removeLast() }
            return String(decoding: out, as: UTF8.self)
        }

        private var isTag: Bool {
            guard index + 1 < bytes.count else { return false }
            let next = bytes[index + 1] | 0x20
            return (0x61...0x7A).contains(next) || bytes[index + 1] == UInt8(ascii: "/")
                || bytes[index + 1] == UInt8(ascii: "!")
                || bytes[index + 1] == UInt8(ascii: "?")
        }

        private mutating func space() {
            index += 1
            if let last = out.last, last != 0x20, last != 0x0A { out.append(0x20) }
        }

        /// At most one empty line.
        private mutating func lineBreak() {
            index += 1
            while out.last == 0x20 { out.removeLast() }
            let isEmpty = out.count >= 2 && out[out.count - 1] == 0x0A && out[out.count - 2] == 0x0A
            if !out.isEmpty, !isEmpty { out.append(0x0A) }
        }

        private mutating func tag() {
            if bytes[index...].starts(with: "<!--".utf8) {
                skip(past: "-->")
                return
            }
            let isEnd = bytes[index + 1] == UInt8(ascii: "/")
            var end = index + (isEnd ? 2 : 1)
            let start = end
            while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
            let name = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
            // Quotes in attributes may hold a bracket.
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
            if MarkupText.silent.contains(name), !isEnd, bytes[safe: end - 1] != UInt8(ascii: "/") {
                skip(past: "</\(name)")
                skip(past: ">")
            }
            if MarkupText.blocks.contains(name) {
                index -= 1
                lineBreak()
                if name == "li", !isEnd { out += Array("• ".utf8) }
            }
        }

        private func isNameByte(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }

        /// Goes on behind the next occurrence of a text in lower case, or at the end.
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
            let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
            guard let end, let text = character(String(decoding: bytes[index + 1..<end], as: UTF8.self)) else {
                out.append(UInt8(ascii: "&"))
                index += 1
                return
            }
            index = end + 1
            if text == " " {
                index -= 1
                space()
            } else {
                out += Array(text.utf8)
            }
        }

        private func character(_ name: String) -> String? {
            guard name.hasPrefix("#") else { return MarkupText.entities[name] }
            let isHex = name.dropFirst().first == "x" || name.dropFirst().first == "X"
            let value = isHex ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            guard let value, value >= 0x20, let scalar = Unicode.Scalar(value), !(0x7F...0x9F).contains(value) else {
                return nil
            }
            return String(Character(scalar))
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
