internal import Linux
internal import Media

/// A list of an archive that is made while it is sent: its rows are read and written one by one.
struct ArchiveList {
    /// How rows become a file.
    enum Form {
        /// A JSON array, one row per line.
        case array
        /// Each row is a line.
        case lines
    }

    /// The file's name in the archive.
    let name: String
    private let form: Form
    private let row: () throws -> [UInt8]?
    private var rowCount = 0
    private var isOver = false

    private static let pieceByteCount = 64 << 10
    private static let pieceTime = Duration.milliseconds(100)

    /// A list of rows.
    ///
    /// - Parameter row: returns the next row's text; empty if there is none yet, and it must be called again; `nil` at
    ///   the end.
    init(_ name: String, _ form: Form, row: @escaping () throws -> [UInt8]?) {
        (self.name, self.form, self.row) = (name, form, row)
    }

    /// A list of elements that are read page by page.
    ///
    /// - Parameter json: an element's row; `nil` if it has none.
    init<Element>(
        _ name: String, _ form: Form = .array, of pages: @escaping ArchivePages<Element>,
        row json: @escaping (Element) throws -> JSON?
    ) {
        var rest: ArraySlice<Element> = []
        self.init(name, form) {
            if let element = rest.popFirst() { return try json(element).map { Array($0.text.utf8) } ?? [] }
            guard let page = try pages() else { return nil }
            rest = page[...]
            return []
        }
    }

    /// The list as a file of an archive.
    func entry(at moment: Instant) -> ArchiveEntry {
        ArchiveEntry(name: name, moment: moment) {
            var list = self
            return { try list.piece() }
        }
    }

    /// The next bytes of the file: 64 KiB and the rest of a row, or fewer, for example after 100 ms; `nil` at the end.
    private mutating func piece() throws -> [UInt8]? {
        guard !isOver else { return nil }
        var text: [UInt8] = []
        let end = Time.monotonic + Self.pieceTime
        while text.count < Self.pieceByteCount, Time.monotonic < end {
            guard let row = try row() else {
                isOver = true
                if form == .array { text += Array((rowCount == 0 ? "[]\n" : "\n]\n").utf8) }
                break
            }
            if row.isEmpty { break }
            if form == .array { text += Array((rowCount == 0 ? "[\n" : ",\n").utf8) }
            text += row
            if form == .lines { text.append(UInt8(ascii: "\n")) }
            rowCount += 1
        }
        return text
    }
}
