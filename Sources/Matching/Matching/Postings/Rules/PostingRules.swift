internal import Media

/// The rules that a posting must follow, and how its fields are cleaned.
public struct PostingRules: Sendable {
    /// The longest id, title, employer's name, place and salary, in characters.
    public static let longestValue = 200
    /// The longest text, in bytes of UTF-8, before it is cleaned.
    public static let longestText = 100_000
    /// The longest row of a file, in bytes.
    public static let longestRow = 1 << 20

    /// The day of the import.
    public let today: CivilDay
    /// The number of days added to each publication day and end day of the source.
    let delay: Int

    /// Rules for a day.
    public init(today: CivilDay, delay: Int = 0) {
        self.today = today
        self.delay = delay
    }

    /// The posting from some fields; throws the first reason against it.
    func posting(_ fields: PostingFields, source: String, row: Int) throws(PostingRefusal) -> Posting {
        let id = Self.line(fields.id)
        do {
            return try posting(fields, id: id, source: source)
        } catch {
            throw PostingRefusal(
                row: row, sourceID: id.isEmpty ? nil : String(id.prefix(Self.longestValue)), reason: error.reason)
        }
    }

    /// A reason that still lacks its row.
    private struct Objection: Error {
        let reason: PostingRefusal.Reason
    }

    private func posting(_ fields: PostingFields, id: String, source: String) throws(Objection) -> Posting {
        guard !id.isEmpty else { throw Objection(reason: .noID) }
        var posting = Posting(source: source, sourceID: id, title: Self.line(fields.title))
        guard posting.title.contains(where: \.isLetter) else { throw Objection(reason: .noTitle) }
        posting.company = Self.line(fields.company)
        posting.location = Self.line(fields.location)
        posting.salary = Self.line(fields.salary)
        let values = [
            ("id", id), ("title", posting.title), ("company", posting.company), ("location", posting.location),
            ("salary", posting.salary ?? ""),
        ]
        // A character may have endless combining marks.
        for (key, value) in values where value.count > Self.longestValue || value.utf8.count > 8 * Self.longestValue {
            throw Objection(reason: .longValue(key: key))
        }
        if posting.salary?.isEmpty == true { posting.salary = nil }
        guard (fields.text ?? "").utf8.count <= Self.longestText else { throw Objection(reason: .longText) }
        posting.posted = try day(fields.posted, "posted", last: today.number + 1)
        posting.expires = try day(fields.expires, "expires", last: today.number + 366)
        if let posted = posting.posted, let expires = posting.expires, expires < posted {
            throw Objection(reason: .endsBeforePosted)
        }
        posting.url = try address(fields.url)
        posting.isRemote = Self.isRemote(fields.remote, posting)
        posting.text = MarkupText.plain(fields.text ?? "")
        return posting
    }

    /// - Parameter last: the latest day that is likely.
    private func day(_ text: String?, _ key: String, last: Int) throws(Objection) -> CivilDay? {
        let text = Self.line(text)
        guard !text.isEmpty else { return nil }
        guard let said = CivilDay(text) else {
            throw Objection(reason: .notADay(key: key, value: String(text.prefix(40))))
        }
        let day = CivilDay(number: said.number + delay)
        // 10,957 is 1 January 2000.
        guard (10_957...last).contains(day.number) else {
            throw Objection(reason: .unlikelyDay(key: key, value: day.text))
        }
        return day
    }

    /// A web address as written; `nil` if there is none.
    private func address(_ text: String?) throws(Objection) -> String? {
        guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        let address = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        let lower = address.prefix(8).lowercased()
        let host = address.dropFirst(lower.hasPrefix("https://") ? 8 : 7)
        let isPlain = address.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !"\"<>\\^`{|}".unicodeScalars.contains($0)
        }
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://"), isPlain, address.utf8.count <= 2_000,
            let first = host.first, first.isLetter || first.isNumber || first == "["
        else { throw Objection(reason: .unsafeAddress) }
        return address
    }

    /// Whether the field says so, or a part of the place or of the title does: "Austin, TX (Remote)".
    private static func isRemote(_ field: String?, _ posting: Posting) -> Bool {
        let said = line(field).lowercased()
        if ["true", "yes", "y", "1", "remote", "fully remote", "telecommute"].contains(said) { return true }
        if ["false", "no", "n", "0"].contains(said) { return false }
        return [posting.location, posting.title].contains { text in
            let words = ScannedWord.all(of: text)
            return words.indices.contains { index in
                let isPart = words[index].startsPhrase && (index + 1 == words.count || words[index + 1].startsPhrase)
                return words[index].key == "remote" && isPart
            }
        }
    }

    /// One line without markup and control characters. A spreadsheet formula is ordinary text.
    static func line(_ text: String?) -> String {
        guard let text else { return "" }
        return MarkupText.plain(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
