internal import Media

/// What follows a document's last byte to put other objects into the places of some of its own (ISO 32000-1, 7.5.6), and to
/// tell the right index of those whose own table tells a wrong one.
struct PDFUpdate {
    /// An object's number, and what stands between `obj` and `endobj`.
    typealias Change = (number: Int, body: ArraySlice<UInt8>)

    private(set) var bytes: [UInt8] = [10]
    /// What the places in the document are reckoned from, less what lies before the update.
    private let start: Int
    /// Where the newest table begins.
    private var tablePlace: Int64
    private let entries: PDFDictionary

    /// `nil` where nothing changes.
    ///
    /// - Parameter byteCount: of the document.
    init?(_ changes: [Change], of objects: PDFObjects, after byteCount: Int64) {
        if changes.isEmpty && objects.misplaced.isEmpty { return nil }
        start = Int(byteCount - objects.headerPlace)
        tablePlace = objects.tablePlace
        var entries = PDFDictionary(entries: [])
        for key in ["/Root", "/Size", "/Encrypt", "/ID", "/Info"] { entries[key] = objects.trailer[key] }
        self.entries = entries
        if !objects.misplaced.isEmpty { addIndices(of: objects) }
        if !changes.isEmpty { add(changes) }
        bytes += "startxref\n\(tablePlace)\n%%EOF\n".utf8
    }

    private mutating func add(_ changes: [Change]) {
        bytes.reserveCapacity(changes.reduce(bytes.count + 4096) { $0 + $1.body.count + 128 })
        var table = "xref\n"
        for change in changes {
            table += "\(change.number) 1\n\(Self.padded(start + bytes.count, 10)) 00000 n \n"
            bytes += "\(change.number) 0 obj\n".utf8
            bytes += change.body
            bytes += "\nendobj\n".utf8
        }
        let place = start + bytes.count
        bytes += table.utf8
        bytes += "trailer\n".utf8
        bytes += trailer.piece.bytes
        bytes.append(10)
        tablePlace = Int64(place)
    }

    /// Adds a cross-reference stream (7.5.8) with the objects of the streams whose indices are wrong, where these are still
    /// the tables' last word on them.
    private mutating func addIndices(of objects: PDFObjects) {
        var rows: [(number: Int, stream: Int, index: Int)] = []
        for (stream, numbers) in objects.misplaced {
            for (index, number) in numbers.enumerated() where (try? objects.objectStream(of: number)) == stream {
                rows.append((number, stream, index))
            }
        }
        // Of those with one number the first of its stream counts.
        rows.sort { ($0.number, $0.index) < ($1.number, $1.index) }
        var parts: [(first: Int, count: Int)] = []
        var data: [UInt8] = []
        var last: Int?
        for row in rows where row.number != last {
            if let before = last, before + 1 == row.number {
                parts[parts.count - 1].count += 1
            } else {
                parts.append((row.number, 1))
            }
            last = row.number
            data.append(2)
            for value in [row.stream, row.index] {
                for shift in stride(from: 24, through: 0, by: -8) {
                    data.append(UInt8(truncatingIfNeeded: value >> shift))
                }
            }
        }
        var entries = trailer
        entries["/Type"] = PDFPiece("/XRef")
        entries["/W"] = PDFPiece("[1 4 4]")
        entries["/Index"] = PDFPiece("[" + parts.map { "\($0.first) \($0.count)" }.joined(separator: " ") + "]")
        let place = start + bytes.count
        bytes += "\(entries["/Size"]?.integer ?? 0) 0 obj\n".utf8
        bytes += entries.stream(data)
        bytes += "\nendobj\n".utf8
        tablePlace = Int64(place)
    }

    /// The entries that every table of the update has.
    private var trailer: PDFDictionary {
        var trailer = entries
        trailer["/Prev"] = PDFPiece("\(tablePlace)")
        return trailer
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
