/// The text of one value in a PDF file, as ISO 32000-1, 7.3 writes it: a number, a name, a dictionary.
///
/// Nothing is copied: a piece is a part of the bytes that were read. What lies in it is looked at when it is asked for.
struct PDFPiece {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ text: String) { bytes = Array(text.utf8)[...] }

    /// A number, whole or not.
    var number: Double? {
        guard let first = bytes.first, first != UInt8(ascii: "/"), bytes.count < 32 else { return nil }
        // Swift's own reading knows of "inf", "0x" and exponents, which PDF does not.
        guard bytes.allSatisfy({ $0.digit != nil || "+-.".utf8.contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Double(text.hasSuffix(".") ? "\(text)0" : text)
    }

    /// A number written without a point.
    var integer: Int? { bytes.count < 20 ? Int(String(decoding: bytes, as: UTF8.self)) : nil }

    /// A name, with its slash.
    var name: String? { bytes.first == UInt8(ascii: "/") ? String(decoding: bytes, as: UTF8.self) : nil }

    /// The object's number in a reference, `12 0 R`.
    var reference: Int? {
        guard bytes.last == UInt8(ascii: "R"), bytes.first?.digit != nil else { return nil }
        return Int(String(decoding: bytes.prefix { $0.digit != nil }, as: UTF8.self))
    }

    /// The object's generation in a reference: 0 for one that was never replaced by another of the same number.
    var generation: Int? {
        guard reference != nil else { return nil }
        let words = bytes.split { $0.isWhiteSpace }
        return words.count == 3 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }

    /// Whether it is a word that is neither a value nor a number: in content, an operator.
    var isOperator: Bool {
        guard let first = bytes.first, first.isRegular || first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
        else {
            return false
        }
        return number == nil && reference == nil && !bytes.elementsEqual("true".utf8)
            && !bytes.elementsEqual("false".utf8) && !bytes.elementsEqual("null".utf8)
    }

    /// The values of an array.
    var elements: [PDFPiece]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var scanner = PDFScanner(bytes.dropFirst())
        var elements: [PDFPiece] = []
        while let element = scanner.value() { elements.append(element) }
        return elements
    }

    /// The entries of a dictionary.
    var dictionary: PDFDictionary? {
        guard bytes.starts(with: "<<".utf8) else { return nil }
        var scanner = PDFScanner(bytes.dropFirst(2))
        var entries: [PDFDictionary.Entry] = []
        while let key = scanner.value(), key.name != nil, let value = scanner.value() { entries.append((key, value)) }
        return PDFDictionary(entries: entries)
    }
}

/// The entries of a dictionary, in their order.
struct PDFDictionary {
    typealias Entry = (key: PDFPiece, value: PDFPiece)

    private(set) var entries: [Entry]

    init(entries: [Entry]) { self.entries = entries }

    /// The value of a key, which is written with its slash.
    subscript(_ key: String) -> PDFPiece? {
        get { entries.first { $0.key.bytes.elementsEqual(key.utf8) }?.value }
        set {
            entries.removeAll { $0.key.bytes.elementsEqual(key.utf8) }
            if let newValue { entries.append((PDFPiece(key), newValue)) }
        }
    }

    /// The object of a stream with these entries, whose data are not packed: what stands between `obj` and `endobj`.
    func stream(_ data: [UInt8]) -> [UInt8] {
        var entries = self
        entries["/Filter"] = nil
        entries["/DecodeParms"] = nil
        entries["/Length"] = PDFPiece("\(data.count)")
        let head = entries.piece.bytes
        var written: [UInt8] = []
        // Pictures are long: one copy is enough.
        written.reserveCapacity(head.count + data.count + 32)
        written += head
        written += "\nstream\n".utf8
        written += data
        written += "\nendstream".utf8
        return written
    }

    /// The dictionary's text.
    var piece: PDFPiece {
        var text = Array("<<".utf8)
        for entry in entries {
            text += entry.key.bytes
            text.append(UInt8(ascii: " "))
            text += entry.value.bytes
            text.append(UInt8(ascii: "\n"))
        }
        return PDFPiece((text + ">>".utf8)[...])
    }
}
