internal import Media

/// Reads postings from a file, row by row: a refused row does not affect the others.
///
/// Keys and columns: `id`, `title`, `company`, `location`, `remote`, `posted`, `expires`, `url`, `text`, `salary`; `id`
/// and `title` are required. Objects of schema.org's type `JobPosting` are read by its properties, also in JSON Lines.
public struct PostingReader: Sendable {
    /// A posting, or why the row is not one.
    public typealias Row = Result<Posting, PostingRefusal>

    private let source: String
    private let rules: PostingRules

    /// - Parameters:
    ///   - source: the name of the source, under which identities are stored.
    ///   - today: the day against which dates are checked.
    ///   - delay: the number of days added to each publication day and end day of the source.
    public init(source: String, today: CivilDay, delay: Int = 0) {
        self.source = source
        rules = PostingRules(today: today, delay: delay)
    }

    /// The latest publication day in a file, even if it is in the future; `nil` if no posting has one.
    public static func newestDay(in bytes: [UInt8], as form: PostingForm) -> CivilDay? {
        var newest: CivilDay?
        PostingReader(source: "", today: CivilDay(year: 9998, month: 1, day: 1)!).read(bytes, as: form) { row in
            if let posted = try? row.get().posted { newest = max(newest ?? posted, posted) }
        }
        return newest
    }

    /// Calls `take` with the rows of a file in order; throws what `take` throws.
    ///
    /// Rows are created one at a time: a file of a gigabyte needs no more memory than its bytes.
    public func read<Failure: Error>(
        _ bytes: [UInt8], as form: PostingForm, _ take: (Row) throws(Failure) -> Void
    ) throws(Failure) {
        var seen: Set<String> = []
        func distinct(_ number: Int, _ row: Row) throws(Failure) {
            guard case .success(let posting) = row, !seen.insert(posting.sourceID).inserted else {
                return try take(row)
            }
            try take(.failure(PostingRefusal(row: number, sourceID: posting.sourceID, reason: .repeated)))
        }
        switch form {
        case .jsonLines: try readLines(bytes, distinct)
        case .csv: try readCSV(bytes, distinct)
        case .linkedData:
            var number = 0
            try readLinkedData(bytes, firstLine: 1, &number, distinct)
        case .page:
            var number = 0
            for block in PageScripts.linkedData(in: bytes) {
                try readLinkedData(block.bytes, firstLine: block.line, &number, distinct)
            }
        }
    }

    /// All rows of a file.
    public func rows(_ bytes: [UInt8], as form: PostingForm) -> [Row] {
        var rows: [Row] = []
        read(bytes, as: form) { rows.append($0) }
        return rows
    }

    private typealias Taking<Failure: Error> = (Int, Row) throws(Failure) -> Void

    private func readLines<Failure>(_ bytes: [UInt8], _ take: Taking<Failure>) throws(Failure) {
        var number = 0
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            number += 1
            let line = bytes[start..<end]
            start = end + 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            guard line.count <= PostingRules.longestRow else {
                try take(number, .failure(PostingRefusal(row: number, reason: .longRow)))
                continue
            }
            guard let object = try? JSON(parsing: Array(line)), object.members != nil else {
                try take(number, .failure(PostingRefusal(row: number, reason: .notJSON)))
                continue
            }
            try take(number, row(number, Self.fields(of: object)))
        }
    }

    private func readCSV<Failure>(_ bytes: [UInt8], _ take: Taking<Failure>) throws(Failure) {
        var text = DelimitedText.commas(bytes)
        guard let header = text.next() else { return }
        var columns: [String: Int] = [:]
        for (index, name) in header.fields.enumerated() {
            let key = name.lowercased().filter { !$0.isWhitespace }
            if columns[key] == nil { columns[key] = index }
        }
        for name in ["id", "title"] where columns[name] == nil {
            return try take(1, .failure(PostingRefusal(row: 1, reason: .noColumn(name))))
        }
        let leastCount = max(columns["id"] ?? 0, columns["title"] ?? 0) + 1
        var (lastCount, isBroken) = (header.fields.count, false)
        while let next = text.next() {
            // After a broken row, lines of its text may follow. Their numbers of fields differ from those of rows.
            let isRest = isBroken && next.fields.count != header.fields.count && next.fields.count != lastCount
            if isRest, !next.isBroken, next.fields.count < leastCount { continue }
            isBroken = next.isBroken || isRest
            guard !isBroken else {
                try take(next.line, .failure(PostingRefusal(row: next.line, reason: .brokenQuotes)))
                continue
            }
            lastCount = next.fields.count
            let fields = PostingFields { name in
                columns[name].flatMap { $0 < next.fields.count ? next.fields[$0] : nil }
            }
            try take(next.line, row(next.line, fields))
        }
    }

    /// - Parameter number: counts the postings of the file.
    private func readLinkedData<Failure>(
        _ bytes: [UInt8], firstLine: Int, _ number: inout Int, _ take: Taking<Failure>
    ) throws(Failure) {
        let value: JSON
        do {
            value = try JSON(parsing: bytes)
        } catch {
            let line = firstLine + bytes.prefix(error.offset).count { $0 == 0x0A }
            return try take(line, .failure(PostingRefusal(row: line, reason: .notJSON)))
        }
        for object in LinkedPosting.objects(in: value) {
            number += 1
            try take(number, row(number, LinkedPosting.fields(of: object)))
        }
    }

    private func row(_ number: Int, _ fields: PostingFields) -> Row {
        Result { () throws(PostingRefusal) in try rules.posting(fields, source: source, row: number) }
    }

    private static func fields(of object: JSON) -> PostingFields {
        LinkedPosting.isPosting(object) ? LinkedPosting.fields(of: object) : PostingFields { object[$0]?.scalarText }
    }
}
