internal import Media

/// The texts of up to 128 pages in one file, because creating a file takes longer than reading a page.
///
/// One line per page, each a separately sealed record, or an empty line for a page that was not read.
struct StoredSeries {
    /// One sealed record per line, including its line end, or only the line end.
    private var lines: [ArraySlice<UInt8>]
    /// The page index of the first line.
    private let start: Int

    /// The number of pages in one file.
    static let pageCount = FolderCache.textGroupCount

    /// The page index at which a page's file begins.
    static func start(of pageIndex: Int) -> Int { pageIndex / pageCount * pageCount }

    /// A series without a page.
    init(from start: Int) {
        self.start = start
        lines = []
    }

    /// The series in a file's bytes.
    init(from start: Int, _ bytes: [UInt8]) {
        self.start = start
        lines = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: Self.lineEnd), lines.count < Self.pageCount {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
    }

    /// The file's bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.count })
        for line in lines { bytes += line }
        return bytes
    }

    /// Puts the text of a page in its place.
    ///
    /// - Returns: `false` if the file would be too long: the page has to be kept separately.
    mutating func set(_ page: PageText) -> Bool {
        let number = page.pageIndex - start
        while lines.count <= number { lines.append([Self.lineEnd]) }
        let record = SealedRecord.bytes(sealing: StoredText.utf8(of: page))
        let others = lines.reduce(0) { $0 + $1.count } - lines[number].count
        guard others + record.count <= SealedRecord.longestText else { return false }
        lines[number] = record[...]
        return true
    }

    /// What is known about a page.
    enum Line {
        case page(PageText)
        case missing
        case damaged
    }

    /// The text of a page.
    func page(_ pageIndex: Int) -> Line {
        let number = pageIndex - start
        guard lines.indices.contains(number), lines[number].count > 1 else { return .missing }
        guard let json = SealedRecord.object(in: Array(lines[number])),
            case .text(.page(let page)) = StoredText(json: json, of: .page(pageIndex))
        else { return .damaged }
        return .page(page)
    }

    /// Whether every line is unchanged since it was stored.
    var isWhole: Bool {
        !lines.isEmpty
            && (start..<start + lines.count).allSatisfy { index in
                if case .damaged = page(index) { false } else { true }
            }
    }

    private static let lineEnd = UInt8(ascii: "\n")
}
