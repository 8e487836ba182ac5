internal import Media

/// An incremental update (ISO 32000-1, 7.5.6): appended to a document, its bytes replace objects and correct
/// cross-reference entries that state a wrong index of a compressed object.
package struct IncrementalUpdate {
    /// The number of an object to replace, and the new text between `obj` and `endobj`.
    package typealias Change = (number: Int, body: ArraySlice<UInt8>)

    /// The bytes to append to the document.
    package private(set) var bytes: [UInt8] = [10]
    /// The offset of `bytes` from the document's header.
    private let start: Int
    /// The offset of the newest cross-reference section.
    private var newestSectionOffset: Int64
    /// The document's entries that each of the update's trailers repeats.
    private let entries: PDFDictionary

    /// An update of a document; `nil` if there is nothing to replace or correct.
    ///
    /// - Parameter byteCount: the document's length.
    package init?(_ changes: [Change], of objects: IndirectObjects, after byteCount: Int64) {
        if changes.isEmpty && objects.misindexedStreams.isEmpty { return nil }
        start = Int(byteCount - objects.headerOffset)
        newestSectionOffset = objects.newestSectionOffset
        var entries = PDFDictionary()
        for key in ["/Root", "/Size", "/Encrypt", "/ID", "/Info"] { entries[key] = objects.trailer[key] }
        self.entries = entries
        if !objects.misindexedStreams.isEmpty { addIndices(of: objects) }
        if !changes.isEmpty { add(changes) }
        bytes += "startxref\n\(newestSectionOffset)\n%%EOF\n".utf8
    }

    /// Adds the objects and their cross-reference table.
    private mutating func add(_ changes: [Change]) {
        bytes.reserveCapacity(changes.reduce(bytes.count + 4096) { $0 + $1.body.count + 128 })
        var table = "xref\n"
        for change in changes {
            table += "\(change.number) 1\n\(Self.padded(start + bytes.count, 10)) 00000 n \n"
            bytes += "\(change.number) 0 obj\n".utf8
            bytes += change.body
            bytes += "\nendobj\n".utf8
        }
        let offset = start + bytes.count
        bytes += table.utf8
        bytes += "trailer\n".utf8
        bytes += PDFObject(trailer).bytes
        bytes.append(10)
        newestSectionOffset = Int64(offset)
    }

    /// Adds a cross-reference stream (7.5.8) with the correct indices of objects in misindexed streams.
    private mutating func addIndices(of objects: IndirectObjects) {
        let rows = Self.rows(of: objects)
        var subsections: [(first: Int, count: Int)] = []
        var data: [UInt8] = []
        for row in rows {
            if let last = subsections.last, last.first + last.count == row.number {
                subsections[subsections.count - 1].count += 1
            } else {
                subsections.append((row.number, 1))
            }
            data.append(2)
            for value in [row.stream, row.index] {
                for shift in stride(from: 24, through: 0, by: -8) {
                    data.append(UInt8(truncatingIfNeeded: value >> shift))
                }
            }
        }
        let index = subsections.map { "\($0.first) \($0.count)" }.joined(separator: " ")
        var entries = trailer
        entries["/Type"] = PDFObject("/XRef")
        entries["/W"] = PDFObject("[1 4 4]")
        entries["/Index"] = PDFObject("[\(index)]")
        let offset = start + bytes.count
        bytes += "\(entries["/Size"]?.integer ?? 0) 0 obj\n".utf8
        bytes += entries.stream(data)
        bytes += "\nendobj\n".utf8
        newestSectionOffset = Int64(offset)
    }

    /// The entries of objects in misindexed streams, each number once, in ascending order, without objects that a newer
    /// section places elsewhere.
    private static func rows(of objects: IndirectObjects) -> [(number: Int, stream: Int, index: Int)] {
        var rows: [(number: Int, stream: Int, index: Int)] = []
        for (stream, numbers) in objects.misindexedStreams {
            for (index, number) in numbers.enumerated() where (try? objects.objectStreamNumber(of: number)) == stream {
                rows.append((number, stream, index))
            }
        }
        rows.sort { ($0.number, $0.index) < ($1.number, $1.index) }
        var last: Int?
        return rows.filter { row in
            defer { last = row.number }
            return row.number != last
        }
    }

    /// The entries of the next trailer or cross-reference stream.
    private var trailer: PDFDictionary {
        var trailer = entries
        trailer["/Prev"] = PDFObject("\(newestSectionOffset)")
        return trailer
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
