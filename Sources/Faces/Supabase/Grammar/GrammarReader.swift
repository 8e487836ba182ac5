/// Reads text of the rows' grammar from left to right, and stops at the first fault.
///
/// A rule that may not apply is tried on a copy.
struct GrammarReader {
    /// A fault in a text: where it is, and what could have been there.
    struct Fault: Error, Hashable {
        /// The index of the scalar.
        var offset: Int
        /// The scalar that is there; `nil` for the end of the text.
        var found: Unicode.Scalar?
        /// In words.
        var expected: String

        /// The fault in words, such as `unexpected "x" expecting a name`.
        var words: String {
            "unexpected " + (found.map { "\"\(Character($0))\"" } ?? "end of input") + " expecting " + expected
        }
    }

    /// Deeper nesting is refused: every stack is finite, and SQLite's parser has one of a hundred places.
    private static let deepestNesting = 12

    private let scalars: [Unicode.Scalar]
    private(set) var offset = 0
    private var nesting = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The next scalar; `nil` at the end.
    var next: Unicode.Scalar? { scalar(0) }

    private func scalar(_ distance: Int) -> Unicode.Scalar? {
        offset + distance < scalars.count ? scalars[offset + distance] : nil
    }

    /// The line and column of an offset, both from 1.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let before = scalars.prefix(offset)
        let line = before.count { $0 == "\n" }
        return (line + 1, before.count - (before.lastIndex(of: "\n").map { $0 + 1 } ?? 0) + 1)
    }

    /// A fault at the next scalar.
    func fault(expecting words: String) -> Fault { Fault(offset: offset, found: next, expected: words) }

    /// Whether this text follows.
    func isAt(_ text: String) -> Bool {
        var distance = 0
        for scalar in text.unicodeScalars {
            guard self.scalar(distance) == scalar else { return false }
            distance += 1
        }
        return true
    }

    /// Consumes this text, if it follows.
    mutating func take(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        offset += text.unicodeScalars.count
        return true
    }

    /// Consumes this text.
    mutating func require(_ text: String) throws(Fault) {
        guard take(text) else { throw fault(expecting: "\"\(text)\"") }
    }

    /// Consumes one scalar of any kind.
    mutating func any(expecting words: String) throws(Fault) -> Unicode.Scalar {
        guard let scalar = next else { throw fault(expecting: words) }
        offset += 1
        return scalar
    }

    /// Consumes all accepted scalars from here on, perhaps none.
    mutating func run(of accepts: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, accepts(scalar) {
            text.append(scalar)
            offset += 1
        }
        return String(text)
    }

    mutating func skipSpace() { while next == " " || next == "\t" { offset += 1 } }

    /// Consumes nothing, and fails unless the text is at its end.
    func requireEnd() throws(Fault) { if next != nil { throw fault(expecting: "end of input") } }

    /// The rule one level deeper; fails if that is too deep.
    mutating func nested<Value>(
        _ rule: (inout GrammarReader) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        guard nesting < Self.deepestNesting else {
            throw fault(expecting: "at most \(Self.deepestNesting) levels of brackets")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try rule(&self)
    }

    /// One or more values, separated by commas that may have space around them.
    mutating func list<Value>(_ rule: (inout GrammarReader) throws(Fault) -> Value) throws(Fault) -> [Value] {
        var values: [Value] = []
        repeat {
            skipSpace()
            values.append(try rule(&self))
            skipSpace()
        } while take(",")
        return values
    }
}

/// Names.
extension GrammarReader {
    /// A name: letters, digits, `_`, `$`, space inside it and single dashes, or anything in quotes.
    mutating func name() throws(Fault) -> String {
        if next == "\"" { return try quoted() }
        var parts: [String] = []
        repeat { parts.append(try identifier()) } while takeDash()
        return parts.joined(separator: "-")
    }

    /// A part of a name without dashes, and without space around it.
    mutating func identifier() throws(Fault) -> String {
        let text = run(of: Self.isIdentifier)
        guard !text.isEmpty else { throw fault(expecting: "a name") }
        return Self.trimmed(text)
    }

    /// A dash that does not begin an arrow.
    private mutating func takeDash() -> Bool { !isAt("->") && take("-") }

    /// A name with a path of arrows into it, as in `data->items->>0`; such names are the whole text.
    mutating func column() throws(Fault) -> String {
        skipSpace()
        var name = try name()
        while isAt("->") {
            name += take("->>") ? "->>" : take("->") ? "->" : ""
            if next == "\"" {
                name += try quoted()
            } else {
                var key = run(of: Self.isKey)
                while takeDash() { key += "-" + run(of: Self.isKey) }
                guard !key.isEmpty else { throw fault(expecting: "a key") }
                name += key
            }
        }
        skipSpace()
        return name
    }

    /// A text in quotes, in which a backslash takes the next character literally.
    mutating func quoted() throws(Fault) -> String {
        try require("\"")
        var text = String.UnicodeScalarView()
        while true {
            let scalar = try any(expecting: "\"\"\"")
            if scalar == "\"" { return String(text) }
            text.append(scalar == "\\" ? try any(expecting: "a character") : scalar)
        }
    }

    private static func isIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", " ", "$": return true
        case "\0"..."\u{7F}": return false
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
            default: return false
            }
        }
    }

    private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", "-", ":", ".", ",", ">", ")": false
        default: true
        }
    }

    private static func trimmed(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ") else { return text }
        let kept = text.utf8.drop { $0 == UInt8(ascii: " ") }
        let end = kept.lastIndex { $0 != UInt8(ascii: " ") }.map { kept.index(after: $0) } ?? kept.startIndex
        return String(Substring(kept[..<end]))
    }
}
