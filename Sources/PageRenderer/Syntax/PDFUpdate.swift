/// What follows a document's last byte to put other objects into the places of some of its own (ISO 32000-1, 7.5.6).
struct PDFUpdate {
    /// An object's number, and what stands between `obj` and `endobj`.
    typealias Change = (number: Int, body: ArraySlice<UInt8>)

    let bytes: [UInt8]

    /// `nil` where nothing changes.
    ///
    /// - Parameter byteCount: of the document.
    init?(_ changes: [Change], of objects: PDFObjects, after byteCount: Int64) {
        if changes.isEmpty { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(changes.reduce(4096) { $0 + $1.body.count + 128 })
        bytes.append(10)
        var table = "xref\n"
        let start = Int(byteCount - objects.headerPlace)
        for change in changes {
            table += "\(change.number) 1\n\(Self.padded(start + bytes.count, 10)) 00000 n \n"
            bytes += "\(change.number) 0 obj\n".utf8
            bytes += change.body
            bytes += "\nendobj\n".utf8
        }
        var trailer = PDFDictionary(entries: [])
        for key in ["/Root", "/Size", "/Encrypt", "/ID", "/Info"] { trailer[key] = objects.trailer[key] }
        trailer["/Prev"] = PDFPiece("\(objects.tablePlace)")
        let place = start + bytes.count
        bytes += table.utf8
        bytes += "trailer\n".utf8
        bytes += trailer.piece.bytes
        bytes += "\nstartxref\n\(place)\n%%EOF\n".utf8
        self.bytes = bytes
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
