/// Steps through the values of a PDF's text, one after the other.
///
/// Nothing is built and nothing calls itself: however deep a hostile file nests its brackets, it costs one pass over them.
struct PDFScanner {
    private let bytes: ArraySlice<UInt8>
    /// The index of the byte after what was read last.
    private(set) var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// Whether everything was read, so that more bytes could make another value of the last.
    var isAtEnd: Bool { place == bytes.endIndex }

    /// The next value or keyword; `nil` at the end, at a closing bracket, and where a value has no end.
    mutating func value() -> PDFPiece? {
        skipSpace()
        let start = place
        switch byte(0) {
        case UInt8(ascii: "["): skipNested()
        case UInt8(ascii: "<"): if byte(1) == UInt8(ascii: "<") { skipNested() } else { skipPast(UInt8(ascii: ">")) }
        case UInt8(ascii: "("): skipString()
        case UInt8(ascii: "/"):
            place += 1
            skipRegular()
        default:
            skipRegular()
            if bytes[start..<place].allSatisfy({ $0.digit != nil }) { extendToReference() }
        }
        return place > start && isWhole ? PDFPiece(bytes[start..<place]) : nil
    }

    /// Steps over what may follow a keyword `stream`: one end of line.
    mutating func skipEndOfLine() {
        if byte(0) == 13 { place += 1 }
        if byte(0) == 10 { place += 1 }
    }

    /// Steps over an inline image's data (8.9.7), from behind `ID`: to the word `EI` between white space.
    mutating func skipInlineData() {
        while let byte = byte(0) {
            if byte.isWhiteSpace, self.byte(1) == UInt8(ascii: "E"), self.byte(2) == UInt8(ascii: "I"),
                self.byte(3)?.isWhiteSpace != false
            {
                place += 3
                return
            }
            place += 1
        }
    }

    /// Whether the last value had an end.
    private var isWhole = true

    private func byte(_ ahead: Int) -> UInt8? {
        place + ahead < bytes.endIndex ? bytes[place + ahead] : nil
    }

    private mutating func skipSpace() {
        while let byte = byte(0) {
            if byte == UInt8(ascii: "%") {
                while let byte = self.byte(0), byte != 10, byte != 13 { place += 1 }
            } else if byte.isWhiteSpace {
                place += 1
            } else {
                return
            }
        }
    }

    private mutating func skipRegular() {
        while let byte = byte(0), byte.isRegular { place += 1 }
    }

    /// From `12` to `12 0 R`, where that follows.
    private mutating func extendToReference() {
        let end = place
        skipSpace()
        let generation = place
        skipRegular()
        if generation < place, bytes[generation..<place].allSatisfy({ $0.digit != nil }) {
            skipSpace()
            if byte(0) == UInt8(ascii: "R"), byte(1)?.isRegular != true {
                place += 1
                return
            }
        }
        place = end
    }

    private mutating func skipPast(_ last: UInt8) {
        while let byte = byte(0) {
            place += 1
            if byte == last { return }
        }
        isWhole = false
    }

    /// A string in parentheses, which may hold others and escaped ones (ISO 32000-1, 7.3.4.2).
    private mutating func skipString() {
        var depth = 0
        while let byte = byte(0) {
            place += 1
            switch byte {
            case UInt8(ascii: "\\"): place = min(place + 1, bytes.endIndex)
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return }
            default: break
            }
        }
        isWhole = false
    }

    /// An array or a dictionary with all that lies in it.
    private mutating func skipNested() {
        var depth = 0
        while let byte = byte(0) {
            switch byte {
            case UInt8(ascii: "["): (place, depth) = (place + 1, depth + 1)
            case UInt8(ascii: "]"): (place, depth) = (place + 1, depth - 1)
            case UInt8(ascii: "<") where self.byte(1) == byte: (place, depth) = (place + 2, depth + 1)
            case UInt8(ascii: ">") where self.byte(1) == byte: (place, depth) = (place + 2, depth - 1)
            case UInt8(ascii: "<"): skipPast(UInt8(ascii: ">"))
            case UInt8(ascii: "("): skipString()
            case UInt8(ascii: "%"): skipSpace()
            default: place += 1
            }
            if depth == 0 || !isWhole { return }
        }
        isWhole = false
    }
}

extension UInt8 {
    /// ISO 32000-1, table 1.
    var isWhiteSpace: Bool { self == 0 || self == 9 || self == 10 || self == 12 || self == 13 || self == 32 }

    /// Neither white space nor a delimiter (ISO 32000-1, 7.2.2).
    var isRegular: Bool {
        switch self {
        case 0, 9, 10, 12, 13, 32: false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
            false
        default: true
        }
    }

    var digit: Int? { (48...57).contains(self) ? Int(self) - 48 : nil }
}
