/// A date or a range of dates in a text.
public struct DateMention: Hashable, Sendable {
    /// The date, or the first of a range.
    public var start: PartialDate
    /// The end of a range; `nil` for an ongoing range or a single date.
    public var end: PartialDate?
    /// Whether a range is ongoing.
    public var isPresent: Bool
    /// Whether the text has two dates, or one with "since".
    public var isRange: Bool
    /// The range in UTF-8.
    public var bytes: Range<Int>

    /// The dates of a text, from its beginning; none overlap.
    public static func all(in text: String) -> [DateMention] {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        var parser = DateParser(tokens: DateToken.all(of: text))
        return parser.mentions()
    }
}

/// Reads dates from tokens.
private struct DateParser {
    let tokens: [DateToken]
    private var index = 0

    init(tokens: [DateToken]) { self.tokens = tokens }

    /// A date, and the token after it.
    private struct Single {
        var date: PartialDate
        var next: Int
        var isShort = false
    }

    mutating func mentions() -> [DateMention] {
        var found: [DateMention] = []
        while index < tokens.count {
            if let mention = mention() { found.append(mention) } else { index += 1 }
        }
        return found
    }

    private mutating func mention() -> DateMention? {
        let start = index
        var isSince = false
        var first = index
        if case .since = tokens[index].kind {
            isSince = true
            first += 1
        }
        guard first < tokens.count, !isInsideNumber(first) else { return nil }
        if let range = sharedYear(from: first) ?? range(from: first) {
            index = range.next
            return mention(range.start, range.end, isPresent: range.isPresent, isRange: true, from: start)
        }
        guard let single = single(at: first), !single.isShort else { return nil }
        index = single.next
        return mention(single.date, nil, isPresent: isSince, isRange: isSince, from: start)
    }

    private func mention(
        _ start: PartialDate, _ end: PartialDate?, isPresent: Bool, isRange: Bool, from first: Int
    ) -> DateMention {
        DateMention(
            start: start, end: end, isPresent: isPresent, isRange: isRange,
            bytes: tokens[first].bytes.lowerBound..<tokens[index - 1].bytes.upperBound)
    }

    private typealias Range = (start: PartialDate, end: PartialDate?, isPresent: Bool, next: Int)

    private func range(from first: Int) -> Range? {
        guard let start = single(at: first) else { return nil }
        var next = start.next
        guard isUntil(next) || isSlashedYears(start, next) else { return nil }
        while isUntil(next) || kind(next) == .sign(UInt8(ascii: "/")) { next += 1 }
        if kind(next) == .present {
            next += 1
            // "present day", "to date".
            return (start.date, nil, true, next)
        }
        if let end = single(at: next), end.date.lastMonth >= start.date.firstMonth {
            return (start.date, end.date, false, end.next)
        }
        // "2018-19".
        if case .number(let value, 2) = kind(next), start.date.month == nil, !start.isShort,
            value > start.date.year % 100, !isInsideNumber(next, isEnd: true)
        {
            return (start.date, PartialDate(year: start.date.year / 100 * 100 + value), false, next + 1)
        }
        return nil
    }

    /// "Jan – Mar 2019": the first month takes the year of the second.
    private func sharedYear(from first: Int) -> Range? {
        guard case .month(let month) = kind(first) else { return nil }
        var next = first + 1
        if kind(next) == .sign(UInt8(ascii: ".")) { next += 1 }
        guard isUntil(next), let end = single(at: next + 1), end.date.month != nil else { return nil }
        return (PartialDate(year: end.date.year, month: month), end.date, false, end.next)
    }

    private func isUntil(_ index: Int) -> Bool { kind(index) == .until }

    /// "2018/2019" is a range, "03/2019" is not.
    private func isSlashedYears(_ start: Single, _ next: Int) -> Bool {
        guard kind(next) == .sign(UInt8(ascii: "/")), start.date.month == nil, case .number(_, 4) = kind(next + 1)
        else { return false }
        return true
    }

    private func kind(_ index: Int) -> DateToken.Kind? { tokens.indices.contains(index) ? tokens[index].kind : nil }

    /// Whether digits adjoin a token, as in telephone numbers.
    private func isInsideNumber(_ index: Int, isEnd: Bool = false) -> Bool {
        func isNumber(_ other: Int) -> Bool {
            if case .number(_, let digits) = kind(other) { return digits >= 3 } else { return false }
        }
        if !isEnd, index >= 2, !tokens[index].isSpaced, !tokens[index - 1].isSpaced, isNumber(index - 2) { return true }
        if index + 2 < tokens.count, !tokens[index + 1].isSpaced, !tokens[index + 2].isSpaced,
            case .number(let value, let digits) = kind(index + 2), digits >= 3, !(digits == 4 && Self.isYear(value))
        {
            return true
        }
        return false
    }

    private static func isYear(_ value: Int) -> Bool { (1950...2049).contains(value) }

    private func year(at index: Int) -> Int? {
        if case .number(let value, 4) = kind(index), Self.isYear(value) { value } else { nil }
    }

    /// A two-digit year: `’19`, or after a slash.
    private func shortYear(at index: Int) -> Int? {
        guard case .number(let value, 2) = kind(index) else { return nil }
        return value < 50 ? 2000 + value : 1900 + value
    }

    private func single(at index: Int) -> Single? {
        switch kind(index) {
        case .month(let month): afterMonth(month, at: index + 1)
        case .season(let month): season(month, at: index + 1)
        case .number(let value, let digits): number(value, digits, at: index)
        case .sign(UInt8(ascii: "'")):
            shortYear(at: index + 1).map { Single(date: PartialDate(year: $0), next: index + 2) }
        default: nil
        }
    }

    private func season(_ month: Int, at start: Int) -> Single? {
        var next = start
        if kind(next) == .sign(UInt8(ascii: ",")) { next += 1 }
        return year(at: next).map { Single(date: PartialDate(year: $0, month: month), next: next + 1) }
    }

    /// After a month's name: a year, or a day and a year.
    private func afterMonth(_ month: Int, at start: Int) -> Single? {
        var next = start
        func skipSigns() {
            while let sign = kind(next), [.sign(UInt8(ascii: ".")), .sign(UInt8(ascii: ","))].contains(sign) {
                next += 1
            }
        }
        skipSigns()
        // "enero de 2019".
        if kind(next) == .of, year(at: next + 1) != nil { next += 1 }
        if let year = year(at: next) { return Single(date: PartialDate(year: year, month: month), next: next + 1) }
        if kind(next) == .sign(UInt8(ascii: "'")), let year = shortYear(at: next + 1) {
            return Single(date: PartialDate(year: year, month: month), next: next + 2)
        }
        guard case .number(let day, let digits) = kind(next), digits <= 2, (1...99).contains(day) else { return nil }
        let short = shortYear(at: next)
        next += 1
        skipSigns()
        if (1...31).contains(day), let year = year(at: next) {
            return Single(date: PartialDate(year: year, month: month), next: next + 1)
        }
        // "Jan 19" is a month of a year only in a range.
        return short.map { Single(date: PartialDate(year: $0, month: month), next: start + 1, isShort: true) }
    }

    private func number(_ value: Int, _ digits: Int, at index: Int) -> Single? {
        if digits == 4, Self.isYear(value) { return fromYear(value, at: index + 1) }
        guard digits <= 2 else { return nil }
        if case .month(let month) = kind(index + 1), (1...31).contains(value) {
            return afterMonth(month, at: index + 2)
        }
        guard (1...31).contains(value), let separator = kind(index + 1), isDateSign(separator) else { return nil }
        // 03/2019, or 15.03.2019, or 03/15/2019.
        if value <= 12, let year = year(at: index + 2) {
            return Single(date: PartialDate(year: year, month: value), next: index + 3)
        }
        if case .number(let second, let count) = kind(index + 2), count <= 2, (1...31).contains(second) {
            if kind(index + 3) == separator, let year = year(at: index + 4) {
                let month = separator == .sign(UInt8(ascii: "/")) && value <= 12 ? value : second
                return month <= 12 ? Single(date: PartialDate(year: year, month: month), next: index + 5) : nil
            }
        }
        if value <= 12, separator == .sign(UInt8(ascii: "/")), let year = shortYear(at: index + 2) {
            return Single(date: PartialDate(year: year, month: value), next: index + 3, isShort: true)
        }
        return nil
    }

    private func isDateSign(_ kind: DateToken.Kind) -> Bool {
        kind == .sign(UInt8(ascii: "/")) || kind == .sign(UInt8(ascii: ".")) || kind == .until
    }

    /// 2019-03 and 2019-03-15; 2019 alone.
    private func fromYear(_ year: Int, at next: Int) -> Single {
        let alone = Single(date: PartialDate(year: year), next: next)
        guard let separator = kind(next), isDateSign(separator), !tokens[next].isSpaced,
            case .number(let month, 2) = kind(next + 1), (1...12).contains(month), !tokens[next + 1].isSpaced
        else { return alone }
        // "2010-12" is a range of school years only if the second number cannot be a month.
        var end = next + 2
        if kind(end) == separator, tokens.indices.contains(end), !tokens[end].isSpaced,
            case .number(_, 2) = kind(end + 1), !tokens[end + 1].isSpaced
        {
            end += 2
        }
        return Single(date: PartialDate(year: year, month: month), next: end)
    }
}
