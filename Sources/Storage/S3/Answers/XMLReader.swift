/// Reads the answers of a store: elements, text and character references, and nothing else of XML 1.0.
///
/// The bytes are untrusted. Document type declarations, custom entities and CDATA sections are refused: no S3 answer
/// has them. Attributes are skipped, and so are white space, comments and processing instructions around the root
/// element. A store that works for minutes sends spaces before its answer, or after the declaration. The depth and
/// number of elements are bounded; the caller bounds the bytes.
package struct XMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var elementCount = 0

    private static let deepest = 8
    /// A list of 1,000 objects has some 10,000.
    private static let mostElements = 100_000

    /// The root element of an answer; `nil` if the bytes are not such a document.
    package static func read(_ bytes: [UInt8]) -> XMLNode? {
        var reader = XMLReader(bytes: bytes)
        return reader.document()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func document() -> XMLNode? {
        skipSpace()
        if bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
        guard skipMiscellany(), let root = element(depth: 1), skipMiscellany() else { return nil }
        return position == bytes.count ? root : nil
    }

    /// Skips what may surround the root element (XML 1.0, production 27), and the declaration.
    ///
    /// - Returns: `false` if a comment or an instruction is not terminated.
    private mutating func skipMiscellany() -> Bool {
        while true {
            skipSpace()
            let mark = take("<?") ? "?>" : take("<!--") ? "-->" : ""
            if mark.isEmpty { return true }
            guard let end = find(mark) else { return false }
            position = end + mark.utf8.count
        }
    }

    private mutating func element(depth: Int) -> XMLNode? {
        elementCount += 1
        guard depth <= Self.deepest, elementCount <= Self.mostElements, take("<"), let name = name() else { return nil }
        guard skipAttributes() else { return nil }
        var node = XMLNode(name: String(name.split(separator: ":").last ?? ""))
        if take("/>") { return node }
        guard take(">") else { return nil }
        var text: [UInt8] = []
        while position < bytes.count {
            if take("</") {
                guard self.name() == name else { return nil }
                skipSpace()
                guard take(">"), let whole = String(validating: text, as: UTF8.self) else { return nil }
                node.text = whole
                return node
            }
            if bytes[position] == UInt8(ascii: "<") {
                guard let child = element(depth: depth + 1) else { return nil }
                node.children.append(child)
            } else {
                guard character(into: &text) else { return nil }
            }
        }
        return nil
    }

    private mutating func name() -> String? {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            let isLetter = (0x41...0x5A).contains(byte & 0xDF)
            let isOther = (0x30...0x3A).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            guard isLetter || byte == UInt8(ascii: "_") || (isOther && position > start) else { break }
            position += 1
        }
        guard (1...128).contains(position - start) else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips `name="value"` pairs, up to the tag's end.
    private mutating func skipAttributes() -> Bool {
        while true {
            let before = position
            skipSpace()
            guard position < bytes.count else { return false }
            if bytes[position] == UInt8(ascii: ">") || bytes[position] == UInt8(ascii: "/") { return true }
            guard position > before, name() != nil, take("="), position < bytes.count else { return false }
            let quote = bytes[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
            position += 1
            while position < bytes.count, bytes[position] != quote {
                if bytes[position] == UInt8(ascii: "<") { return false }
                position += 1
            }
            guard position < bytes.count else { return false }
            position += 1
        }
    }

    private static let entities: [(name: StaticString, byte: UInt8)] = [
        ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]

    private mutating func character(into text: inout [UInt8]) -> Bool {
        guard bytes[position] == UInt8(ascii: "&") else {
            text.append(bytes[position])
            position += 1
            return true
        }
        for entity in Self.entities where take(entity.name) {
            text.append(entity.byte)
            return true
        }
        guard take("&#") else { return false }
        let radix: UInt32 = take("x") ? 16 : 10
        var (value, count) = (UInt32(0), 0)
        while position < bytes.count, count < 8, let digit = Self.value(of: bytes[position]), digit < radix {
            value = value &* radix &+ digit
            (position, count) = (position + 1, count + 1)
        }
        guard count > 0, take(";"), let scalar = Unicode.Scalar(value) else { return false }
        text += Array(String(scalar).utf8)
        return true
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case 0x30...0x39: UInt32(digit - 0x30)
        case 0x41...0x46: UInt32(digit - 0x41 + 10)
        case 0x61...0x66: UInt32(digit - 0x61 + 10)
        default: nil
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
        position += count
        return true
    }

    private func find(_ word: String) -> Int? {
        let word = Array(word.utf8)
        guard bytes.count - position >= word.count else { return nil }
        return (position...(bytes.count - word.count)).first { bytes[$0..<($0 + word.count)].elementsEqual(word) }
    }
}
