/// Reads the objects of a PDF text one after the other.
///
/// The scanner builds no tree and never recurses: nested brackets of any depth cost one pass over their bytes.
package struct PDFScanner {
    private let bytes: ArraySlice<UInt8>
    /// The index of the byte after the last object.
    package private(set) var index: Int
    /// Whether the last string, array or dictionary was closed.
    private var isComplete = true

    /// A scanner at the beginning of a text.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// Whether all bytes are read. The last object may then be incomplete: a number, name or keyword may continue in
    /// later bytes.
    package var isAtEnd: Bool { index == bytes.endIndex }

    /// The next object or keyword; `nil` at the end, at a closing bracket, and if an object is not closed.
    package mutating func nextObject() -> PDFObject? {
        skipSpace()
        let start = index
        switch byte(0) {
        case UInt8(ascii: "["): skipNested()
        case UInt8(ascii: "<"): if byte(1) == UInt8(ascii: "<") { skipNested() } else { skipPast(UInt8(ascii: ">")) }
        case UInt8(ascii: "("): skipString()
        case UInt8(ascii: "/"):
            index += 1
            skipRegular()
        default:
            skipRegular()
            if bytes[start..<index].allSatisfy({ $0.digit != nil }) { extendToReference() }
        }
        return index > start && isComplete ? PDFObject(bytes[start..<index]) : nil
    }

    /// Skips the end-of-line marker between the keyword `stream` and the data (ISO 32000-1, 7.3.8.1).
    package mutating func skipEndOfLine() {
        if byte(0) == 13 { index += 1 }
        if byte(0) == 10 { index += 1 }
    }

    /// Skips the data of an inline image (8.9.7), which follow `ID`, and the operator `EI` between white space.
    package mutating func skipInlineImageData() {
        while let byte = byte(0) {
            if byte.isWhiteSpace, self.byte(1) == UInt8(ascii: "E"), self.byte(2) == UInt8(ascii: "I"),
                self.byte(3)?.isWhiteSpace != false
            {
                index += 3
                return
            }
            index += 1
        }
    }

    private func byte(_ ahead: Int) -> UInt8? {
        index + ahead < bytes.endIndex ? bytes[index + ahead] : nil
    }

    /// Skips white space and comments.
    private mutating func skipSpace() {
        while let byte = byte(0) {
            if byte == UInt8(ascii: "%") {
                while let byte = self.byte(0), byte != 10, byte != 13 { index += 1 }
            } else if byte.isWhiteSpace {
                index += 1
            } else {
                return
            }
        }
    }

    private mutating func skipRegular() {
        while let byte = byte(0), byte.isRegular { index += 1 }
    }

    /// Extends the integer `12` to the reference `12 0 R` if the rest follows.
    private mutating func extendToReference() {
        let end = index
        skipSpace()
        let generation = index
        skipRegular()
        if generation < index, bytes[generation..<index].allSatisfy({ $0.digit != nil }) {
            skipSpace()
            if byte(0) == UInt8(ascii: "R"), byte(1)?.isRegular != true {
                index += 1
                return
            }
        }
        index = end
    }

    private mutating func skipPast(_ last: UInt8) {
        while let byte = byte(0) {
            index += 1
            if byte == last { return }
        }
        isComplete = false
    }

    /// Skips a literal string with its balanced parentheses and escapes (7.3.4.2).
    private mutating func skipString() {
        var depth = 0
        while let byte = byte(0) {
            index += 1
            switch byte {
            case UInt8(ascii: "\\"): index = min(index + 1, bytes.endIndex)
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return }
            default: break
            }
        }
        isComplete = false
    }

    /// Skips an array or a dictionary with its contents.
    private mutating func skipNested() {
        var depth = 0
        while let byte = byte(0) {
            switch byte {
            case UInt8(ascii: "["): (index, depth) = (index + 1, depth + 1)
            case UInt8(ascii: "]"): (index, depth) = (index + 1, depth - 1)
            case UInt8(ascii: "<") where self.byte(1) == byte: (index, depth) = (index + 2, depth + 1)
            case UInt8(ascii: ">") where self.byte(1) == byte: (index, depth) = (index + 2, depth - 1)
            case UInt8(ascii: "<"): skipPast(UInt8(ascii: ">"))
            case UInt8(ascii: "("): skipString()
            case UInt8(ascii: "%"): skipSpace()
            default: index += 1
            }
            if depth == 0 || !isComplete { return }
        }
        isComplete = false
    }
}
