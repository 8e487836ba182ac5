/// Splits XML or HTML into tokens, without building a tree or resolving entities.
///
/// It is lenient, because it serves only recognition. An unclosed token ends the reading.
struct MarkupReader {
    enum Token: Equatable {
        /// Character data other than white space.
        case text
        case comment
        /// A processing instruction or the XML declaration, with its target.
        case instruction(String)
        /// A document type declaration, with the name of the root element.
        case documentType(String)
        case start(MarkupTag)
        case end
    }

    private let bytes: Bytes
    private var offset = 0

    /// Reads bytes in an encoding that extends ASCII.
    init(_ bytes: Bytes) { self.bytes = bytes }

    /// Reads bytes in UTF-8, UTF-16 or UTF-32.
    init(decoding bytes: Bytes) {
        self.init(TextEncoding.of(bytes, isWhole: true)?.asciiView(of: bytes) ?? bytes)
    }

    /// The next start tag; `nil` at the end.
    mutating func nextTag() -> MarkupTag? {
        while let token = next() {
            if case .start(let tag) = token { return tag }
        }
        return nil
    }

    /// The next token; `nil` at the end and if a token is not closed.
    mutating func next() -> Token? {
        skipSpace()
        guard let byte = bytes[offset] else { return nil }
        guard byte == UInt8(ascii: "<") else {
            while let byte = bytes[offset], byte != UInt8(ascii: "<") { offset += 1 }
            return .text
        }
        if bytes.has("<!--", at: offset) { return skip(past: "-->", from: offset + 4) ? .comment : nil }
        if bytes.has("<![CDATA[", at: offset) { return skip(past: "]]>", from: offset + 9) ? .text : nil }
        if bytes.has("<?", at: offset) { return instruction() }
        if bytes.hasIgnoringCase("<!doctype", at: offset) { return documentType() }
        if bytes.has("</", at: offset) || bytes.has("<!", at: offset) {
            return skip(past: ">", from: offset) ? .end : nil
        }
        return startTag()
    }

    private mutating func skipSpace() {
        while let byte = bytes[offset], ASCII.isSpace(byte) { offset += 1 }
    }

    private mutating func skip(past mark: String, from start: Int) -> Bool {
        guard start < bytes.count, let found = bytes.firstOffset(of: mark, in: start..<bytes.count) else {
            return false
        }
        offset = found + mark.utf8.count
        return true
    }

    private mutating func instruction() -> Token? {
        offset += 2
        let name = takeName()
        return skip(past: "?>", from: offset) ? .instruction(name) : nil
    }

    /// Reads up to the closing bracket, past quoted strings and an internal subset.
    private mutating func documentType() -> Token? {
        offset += "<!doctype".utf8.count
        skipSpace()
        let name = takeName()
        var depth = 0
        var quote: UInt8?
        while let byte = bytes[offset] {
            offset += 1
            switch (byte, quote) {
            case (_, .some(let open)): if byte == open { quote = nil }
            case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
            case (UInt8(ascii: "["), nil), (UInt8(ascii: "<"), nil): depth += 1
            case (UInt8(ascii: "]"), nil): depth -= 1
            case (UInt8(ascii: ">"), nil):
                if depth == 0 { return .documentType(name) }
                depth -= 1
            default: break
            }
        }
        return nil
    }

    private mutating func startTag() -> Token? {
        offset += 1
        let name = takeName()
        // An angle bracket in character data.
        guard !name.isEmpty else { return .text }
        var attributes: [(name: String, value: String)] = []
        while let byte = nextInTag() {
            if byte == UInt8(ascii: ">") {
                offset += 1
                return .start(MarkupTag(name: name, attributes: attributes))
            }
            guard let attribute = attribute() else {
                offset += 1
                continue
            }
            if attributes.count < 64 { attributes.append(attribute) }
        }
        return nil
    }

    private mutating func nextInTag() -> UInt8? {
        skipSpace()
        return bytes[offset]
    }

    private mutating func attribute() -> (name: String, value: String)? {
        let name = takeName()
        guard !name.isEmpty else { return nil }
        guard nextInTag() == UInt8(ascii: "=") else { return (name, "") }
        offset += 1
        guard let quote = nextInTag(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return (name, takeName())
        }
        let start = offset + 1
        offset = start
        while let byte = bytes[offset], byte != quote { offset += 1 }
        defer { offset += 1 }
        return (name, bytes.part(at: start, count: offset - start)?.text ?? "")
    }

    /// Reads up to white space or a delimiter.
    private mutating func takeName() -> String {
        let start = offset
        while let byte = bytes[offset], !ASCII.isSpace(byte), !"<>/=?\"'[".utf8.contains(byte) { offset += 1 }
        return bytes.part(at: start, count: offset - start)?.text ?? ""
    }
}
