/// What a posting has to keep to, and how its fields are cleaned.
public struct PostingRules: Sendable {
    /// The longest title, in characters.
    public static let longestTitle = 200
    /// The longest text, in bytes of UTF-8, before it is cleaned.
    public static let longestText = 100_000

    /// The day of the import.
    public let today: CivilDay

    /// Rules on a day.
    public init(today: CivilDay) { self.today = today }

    /// A posting's fields as a source wrote them.
    struct Fields {
        var id: String?
        var title: String?
        var company: String?
        var location: String?
        var remote: String?
        var posted: String?
        var expires: String?
        var url: String?
        var text: String?
        var salary: String?
    }

    /// The posting of some fields; throws the first reason against it.
    func posting(_ fields: Fields, source: String, row: Int) throws(PostingRefusal) -> Posting {
        let id = Self.line(fields.id)
        func refusal(_ reason: PostingRefusal.Reason) -> PostingRefusal {
            PostingRefusal(row: row, sourceID: id.isEmpty ? nil : id, reason: reason)
        }
        guard !id.isEmpty, id.utf8.count <= 200 else { throw refusal(.noID) }
        let title = Self.line(fields.title)
        guard title.contains(where: \.isLetter) else { throw refusal(.noTitle) }
        guard title.count <= Self.longestTitle else { throw refusal(.longTitle) }
        guard (fields.text ?? "").utf8.count <= Self.longestText else { throw refusal(.longText) }
        let posted: CivilDay?
        let expires: CivilDay?
        do {
            posted = try day(fields.posted, "posted")
            expires = try day(fields.expires, "expires")
        } catch {
            throw refusal(error.reason)
        }
        if let posted, let expires, expires < posted { throw refusal(.endsBeforePosted) }
        let url = Self.line(fields.url)
        guard url.isEmpty || url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw refusal(.unsafeAddress)
        }
        let location = Self.line(fields.location)
        let remote = Self.line(fields.remote).lowercased()
        return Posting(
            source: source, sourceID: id, title: title, company: Self.line(fields.company), location: location,
            isRemote: ["true", "yes", "1", "remote", "telecommute"].contains(remote)
                || location.lowercased().hasPrefix("remote"),
            posted: posted, expires: expires, url: url.isEmpty ? nil : url, text: MarkupText.plain(fields.text ?? ""),
            salary: fields.salary.map { Self.line($0) }.flatMap { $0.isEmpty ? nil : $0 })
    }

    private struct DayError: Error {
        let reason: PostingRefusal.Reason
    }

    private func day(_ text: String?, _ key: String) throws(DayError) -> CivilDay? {
        let text = Self.line(text)
        guard !text.isEmpty else { return nil }
        guard let day = CivilDay(text) else {
            throw DayError(reason: .notADay(key: key, value: String(text.prefix(40))))
        }
        // 10,957 is 1 January 2000.
        guard day.number >= 10_957, day.number <= today.number + 366 else {
            throw DayError(reason: .unlikelyDay(key: key, value: day.text))
        }
        return day
    }

    /// One line without markup, control characters, and signs at its beginning by which spreadsheets know a formula.
    static func line(_ text: String?) -> String {
        guard let text else { return "" }
        var line = MarkupText.plain(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while let first = line.first,
            "=+@\t".contains(first) || first == "-" && line.dropFirst().first?.isNumber != true
        {
            line.removeFirst()
        }
        return line.split(separator: " ").joined(separator: " ")
    }
}
