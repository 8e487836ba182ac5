internal import Media

/// How many years of experience a posting asks for, and where it says so.
public struct YearsAsked: Hashable, Sendable {
    /// The lower end if the posting gives a range.
    public var years: Int
    /// The words from the number to "years", in bytes of the posting's text.
    public var bytes: Range<Int>

    /// A demand at a place in a posting's text.
    public init(years: Int, bytes: Range<Int>) {
        self.years = years
        self.bytes = bytes
    }

    /// The first demand of a text: a number up to 40 before "years", with "experience", "at least" or a plus nearby on
    /// the same line. `nil` if the text has none: "for 20 years we have made shoes" is not a demand, and "at least 18
    /// years old" is an age.
    init?(in text: String, words: [ScannedWord]) {
        let source = Array(text.utf8)
        for index in words.indices where Self.yearWords.contains(words[index].key) {
            guard let first = Self.number(before: index, words, source) else { continue }
            let line = Self.line(around: index, words, source)
            guard !Self.isAge(first, index, line, words) else { continue }
            let near = words[max(line.lowerBound, first - 3)..<min(line.upperBound, index + 9)].map(\.key)
            let hasPlus = words[first...index].contains { $0.key.hasSuffix("+") }
            guard hasPlus || near.contains(where: Self.signs.contains), let years = Self.value(words[first].key) else {
                continue
            }
            self.init(years: years, bytes: words[first].bytes.lowerBound..<words[index].bytes.upperBound)
            return
        }
        return nil
    }

    private static let yearWords: Set<String> = ["year", "yr", "yrs"]
    private static let signs: Set<String> = ["experience", "experienced", "least", "minimum", "min"]
    private static let numbers: [String: Int] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "fifteen": 15,
    ]

    private static func value(_ key: String) -> Int? {
        if let word = numbers[key] { return word }
        guard let value = Int(key.hasSuffix("+") ? String(key.dropLast()) : key), (1...40).contains(value) else {
            return nil
        }
        return value
    }

    /// The word of the number before a word: the first one of "3–5", "3 to 5" and "3 - 5".
    private static func number(before index: Int, _ words: [ScannedWord], _ source: [UInt8]) -> Int? {
        guard index > 0, value(words[index - 1].key) != nil else { return nil }
        var first = index - 1
        if first > 0, value(words[first - 1].key) != nil,
            words[first].bytes.lowerBound - words[first - 1].bytes.upperBound <= 5
        {
            first -= 1
        } else if first > 1, ["to", "or"].contains(words[first - 1].key), value(words[first - 2].key) != nil {
            first -= 2
        }
        let isCut = source[words[first].bytes.lowerBound..<words[index].bytes.lowerBound].contains(0x0A)
        return isCut ? nil : first
    }

    /// The lowest number that is an age after a colon: "Aged care: 2 years experience" is not one.
    private static let youngest = 14

    /// Whether the words from a number to "years" state an age: "18 years or older", "a minimum age of 18 years".
    private static func isAge(_ first: Int, _ index: Int, _ line: Range<Int>, _ words: [ScannedWord]) -> Bool {
        // "18 years of age, 3 years of experience": the age belongs to the number before.
        let isOfAge = (max(line.lowerBound, first - 2)..<first).contains { place in
            ["age", "aged"].contains(words[place].key)
                && (!words[first].startsPhrase || (value(words[first].key) ?? 0) >= youngest)
                && (place == line.lowerBound || words[place - 1].key != "of")
        }
        var behind = words[(index + 1)..<min(line.upperBound, index + 3)].map(\.key)[...]
        if let word = behind.first, ["and", "of", "or"].contains(word) { behind = behind.dropFirst() }
        return isOfAge || behind.first.map { ["old", "older", "age"].contains($0) } == true
    }

    /// The words of the line that contains a word.
    private static func line(around index: Int, _ words: [ScannedWord], _ source: [UInt8]) -> Range<Int> {
        func isBreak(_ first: Int, _ second: Int) -> Bool {
            source[words[first].bytes.upperBound..<words[second].bytes.lowerBound].contains(0x0A)
        }
        var (start, end) = (index, index + 1)
        while start > 0, index - start < 12, !isBreak(start - 1, start) { start -= 1 }
        while end < words.count, end - index < 12, !isBreak(end - 1, end) { end += 1 }
        return start..<end
    }
}
