/// The entries of a dictionary (ISO 32000-1, 7.3.7), in written order.
package struct PDFDictionary {
    /// A key, which is a name, and its value.
    package typealias Entry = (key: PDFObject, value: PDFObject)

    /// All entries; a damaged file may contain a key twice.
    package private(set) var entries: [Entry]

    /// A dictionary of entries; empty by default.
    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// The value of the first entry with a key, which includes its slash; setting `nil` removes the key.
    package subscript(_ key: String) -> PDFObject? {
        get { entries.first { $0.key.bytes.elementsEqual(key.utf8) }?.value }
        set {
            entries.removeAll { $0.key.bytes.elementsEqual(key.utf8) }
            if let newValue { entries.append((PDFObject(key), newValue)) }
        }
    }

    /// A stream object (7.3.8) with these entries and without a filter: the text between `obj` and `endobj`.
    package func stream(_ data: [UInt8]) -> [UInt8] {
        var entries = self
        entries["/Filter"] = nil
        entries["/DecodeParms"] = nil
        entries["/Length"] = PDFObject("\(data.count)")
        let head = PDFObject(entries).bytes
        var written: [UInt8] = []
        // An image's data are long: the reservation limits this to one copy.
        written.reserveCapacity(head.count + data.count + 32)
        written += head
        written += "\nstream\n".utf8
        written += data
        written += "\nendstream".utf8
        return written
    }
}
