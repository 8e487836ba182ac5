internal import Media
internal import Vocabulary

/// Reads postings from a file, row by row: what is refused does not keep the others out.
///
/// Keys and columns: `id`, `title`, `company`, `location`, `remote`, `posted`, `expires`, `url`, `text`, `salary`; `id`
/// and `title` are needed.
public struct PostingReader: Sendable {
    private let source: String
    private let rules: PostingRules

    /// - Parameters:
    ///   - source: the name of the source, under which identities are kept.
    ///   - today: the day against which dates are held.
    public init(source: String, today: CivilDay) {
        self.source = source
        rules = PostingRules(today: today)
    }

    /// Postings and refusals in the order of the rows.
    public typealias Row = Result<Posting, PostingRefusal>

    /// The rows of JSON Lines: an object a line; empty lines are passed over.
    public func jsonLines(_ bytes: [UInt8]) -> [Row] {
        var rows: [Row] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            rows.append(
                row(index + 1) { () throws(PostingRefusal) in
                    guard let object = try? JSON(parsing: Array(line)), object.members != nil else {
                        throw PostingRefusal(row: index + 1, reason: .notJSON)
                    }
                    return Self.isLinkedData(object)
                        ? LinkedPosting.fields(of: object) : Self.fields { object[$0]?.scalarText }
                })
        }
        return distinct(rows)
    }

    /// The rows of CSV with the names of columns in the first row.
    public func csv(_ bytes: [UInt8]) -> [Row] {
        var text = DelimitedText.commas(bytes)
        guard let header = text.next() else { return [] }
        var columns: [String: Int] = [:]
        for (index, name) in header.fields.enumerated() {
            let key = name.lowercased().filter { !$0.isWhitespace }
            if columns[key] == nil { columns[key] = index }
        }
        for name in ["id", "title"] where columns[name] == nil {
            return [.failure(PostingRefusal(row: 1, reason: .noColumn(name)))]
        }
        var rows: [Row] = []
        while let next = text.next() {
            rows.append(
                row(next.line) { () throws(PostingRefusal) in
                    guard !next.isBroken else { throw PostingRefusal(row: next.line, reason: .brokenQuotes) }
                    return Self.fields { name in
                        columns[name].flatMap { $0 < next.fields.count ? next.fields[$0] : nil }
                    }
                })
        }
        return distinct(rows)
    }

    /// The postings of schema.org's `JobPosting` in JSON-LD: an object, an array, or a `@graph` of them.
    ///
    /// Objects of other types are passed over.
    public func linkedData(_ bytes: [UInt8]) -> [Row] {
        guard let value = try? JSON(parsing: bytes) else { return [.failure(PostingRefusal(row: 1, reason: .notJSON))] }
        let objects = value.array ?? value["@graph"]?.array ?? [value]
        var rows: [Row] = []
        for (index, object) in objects.enumerated() where Self.isLinkedData(object) {
            rows.append(row(index + 1) { () throws(PostingRefusal) in LinkedPosting.fields(of: object) })
        }
        return distinct(rows)
    }

    private func row(_ number: Int, _ fields: () throws(PostingRefusal) -> PostingRules.Fields) -> Row {
        do throws(PostingRefusal) {
            return .success(try rules.posting(try fields(), source: source, row: number))
        } catch {
            return .failure(error)
        }
    }

    private func distinct(_ rows: [Row]) -> [Row] {
        var seen: Set<String> = []
        return rows.enumerated().map { index, row in
            guard case .success(let posting) = row, !seen.insert(posting.sourceID).inserted else { return row }
            return .failure(PostingRefusal(row: index + 1, sourceID: posting.sourceID, reason: .repeated))
        }
    }

    private static func isLinkedData(_ object: JSON) -> Bool {
        let types = object["@type"]?.array?.compactMap(\.string) ?? object["@type"]?.string.map { [$0] } ?? []
        return types.contains { $0 == "JobPosting" || $0.hasSuffix("schema.org/JobPosting") }
    }

    private static func fields(_ value: (String) -> String?) -> PostingRules.Fields {
        PostingRules.Fields(
            id: value("id"), title: value("title"), company: value("company"), location: value("location"),
            remote: value("remote"), posted: value("posted"), expires: value("expires"), url: value("url"),
            text: value("text") ?? value("description"), salary: value("salary"))
    }
}

extension JSON {
    /// A text, number or truth value as text.
    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
