/// One object as a PDF file writes it (ISO 32000-1, 7.3): a number, a name, a string, an array, a dictionary, a
/// reference; or a keyword, such as `obj` or an operator of a content stream.
///
/// An object is a slice of the bytes that were read, not a copy. Each property parses the slice on use, and is `nil` if
/// the object has another type.
package struct PDFObject {
    /// The object's text, without white space around it.
    package let bytes: ArraySlice<UInt8>

    /// An object that a scanner found.
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// An object to be written into a document.
    package init(_ text: String) { bytes = Array(text.utf8)[...] }

    /// A dictionary to be written into a document.
    package init(_ dictionary: PDFDictionary) {
        var text = Array("<<".utf8)
        for entry in dictionary.entries {
            text += entry.key.bytes
            text.append(UInt8(ascii: " "))
            text += entry.value.bytes
            text.append(UInt8(ascii: "\n"))
        }
        bytes = (text + ">>".utf8)[...]
    }

    /// The value of an integer or a real number.
    package var number: Double? {
        guard let first = bytes.first, first != UInt8(ascii: "/"), bytes.count < 32 else { return nil }
        // Swift's parser also accepts "inf", "0x" and exponents, which PDF does not have.
        guard bytes.allSatisfy({ $0.digit != nil || "+-.".utf8.contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Double(text.hasSuffix(".") ? "\(text)0" : text)
    }

    /// The value of an integer, written without a point.
    package var integer: Int? { bytes.count < 20 ? Int(String(decoding: bytes, as: UTF8.self)) : nil }

    /// The value of a boolean.
    package var boolean: Bool? { isKeyword("true") ? true : isKeyword("false") ? false : nil }

    /// A name with its slash, as in `/Type`; `#` escapes are not decoded.
    package var name: String? { bytes.first == UInt8(ascii: "/") ? String(decoding: bytes, as: UTF8.self) : nil }

    /// The object number of an indirect reference: 12 of `12 0 R`.
    package var reference: Int? {
        guard bytes.last == UInt8(ascii: "R"), bytes.first?.digit != nil else { return nil }
        return Int(String(decoding: bytes.prefix { $0.digit != nil }, as: UTF8.self))
    }

    /// The generation number of an indirect reference: 0 of `12 0 R`.
    package var generation: Int? {
        guard reference != nil else { return nil }
        let words = bytes.split { $0.isWhiteSpace }
        return words.count == 3 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }

    /// Whether the object is this keyword.
    package func isKeyword(_ word: String) -> Bool { bytes.elementsEqual(word.utf8) }

    /// Whether the object is a keyword other than `true`, `false` and `null`: in a content stream, an operator.
    package var isOperator: Bool {
        guard let first = bytes.first, first.isRegular || first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
        else {
            return false
        }
        return number == nil && reference == nil && !isKeyword("true") && !isKeyword("false") && !isKeyword("null")
    }

    /// The elements of an array that are complete.
    package var elements: [PDFObject]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var scanner = PDFScanner(bytes.dropFirst())
        var elements: [PDFObject] = []
        while let element = scanner.nextObject() { elements.append(element) }
        return elements
    }

    /// The entries of a dictionary that are complete.
    package var dictionary: PDFDictionary? {
        guard bytes.starts(with: "<<".utf8) else { return nil }
        var scanner = PDFScanner(bytes.dropFirst(2))
        var entries: [PDFDictionary.Entry] = []
        while let key = scanner.nextObject(), key.name != nil, let value = scanner.nextObject() {
            entries.append((key, value))
        }
        return PDFDictionary(entries)
    }
}
