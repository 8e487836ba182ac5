internal import Glibc

/// Which occupations have a word in one of their titles: for titles that stand in no list as they are.
struct TitleWords: Sendable {
    private var titles: [(occupation: Int32, words: Set<String>)] = []
    private var titlesOfWord: [String: [Int32]] = [:]

    mutating func add(_ words: [String], occupation: Int) {
        let number = Int32(titles.count)
        titles.append((Int32(occupation), Set(words)))
        for word in Set(words) { titlesOfWord[word, default: []].append(number) }
    }

    /// Whether a word stands in some title.
    func knows(_ word: String) -> Bool { titlesOfWord[word] != nil }

    /// How rare a word is among the titles: 0 for one that is in all of them.
    private func weight(_ word: String) -> Double {
        guard let count = titlesOfWord[word]?.count else { return log2(Double(titles.count + 1)) / 2 }
        return log2(Double(titles.count + 1)) - log2(Double(count))
    }

    /// The occupation whose title shares the weightiest words with this one, and what share of the words of both it is.
    ///
    /// The last word counts double: it is the noun that an English title names.
    func closest(to words: [String]) -> (occupation: Int, share: Double)? {
        guard let head = words.last else { return nil }
        let wanted = Set(words)
        // In the order of the words: sums of a set's own order would differ in their last bits from run to run.
        let all = wanted.sorted().reduce(0) { $0 + weight($1) } + weight(head)
        var best: (occupation: Int, share: Double)?
        for number in Set(wanted.flatMap { titlesOfWord[$0] ?? [] }).sorted() {
            let title = titles[Int(number)]
            var shared = 0.0
            for word in wanted.intersection(title.words).sorted() { shared += weight(word) }
            if title.words.contains(head) { shared += weight(head) }
            var missing = 0.0
            for word in title.words.subtracting(wanted).sorted() { missing += weight(word) }
            let share = shared / (all + missing)
            if share > best?.share ?? 0 { best = (Int(title.occupation), share) }
        }
        return best
    }
}
