internal import Glibc

/// The occupations that have a word in one of their titles, for titles that no list contains as they are.
///
/// Titles and words have numbers. A query looks only at titles with one of its rarer words: titles that share only
/// frequent words cannot be close.
struct TitleWords: Sendable {
    private var numbers: [String: Int32] = [:]
    /// The titles of each word, in their order.
    private var titlesOfWord: [[Int32]] = []
    /// The words of all titles, one title after another.
    private var words: [Int32] = []
    /// Where each title's words begin, and where the last title's end.
    private var starts: [Int32] = [0]
    private var occupations: [Int32] = []
    /// How rare each word is among the titles: 0 for a word in all of them.
    private var weights: [Double] = []

    /// The words of titles, each with the number of its occupation.
    init(_ titles: [(words: [String], occupation: Int)]) {
        for title in titles {
            let number = Int32(occupations.count)
            for word in Self.distinct(title.words.map { self.number(of: $0) }) {
                words.append(word)
                titlesOfWord[Int(word)].append(number)
            }
            starts.append(Int32(words.count))
            occupations.append(Int32(title.occupation))
        }
        weights = titlesOfWord.map { log2(Double(titles.count + 1)) - log2(Double($0.count)) }
    }

    private mutating func number(of word: String) -> Int32 {
        if let known = numbers[word] { return known }
        let number = Int32(numbers.count)
        numbers[word] = number
        titlesOfWord.append([])
        return number
    }

    private static func distinct(_ numbers: [Int32]) -> [Int32] {
        var seen: [Int32] = []
        for number in numbers where !seen.contains(number) { seen.append(number) }
        return seen
    }

    /// Whether a title contains this word.
    func knows(_ word: String) -> Bool { numbers[word] != nil }

    /// The occupation whose title shares the most word weight with this one, and that share of the weight of both;
    /// `nil` if no title reaches the least share.
    ///
    /// The last word counts double: in an English title, it is the noun.
    func closest(to words: [String], share least: Double) -> (occupation: Int, share: Double)? {
        guard let last = words.last else { return nil }
        let head = numbers[last]
        let wanted = Self.distinct(words.compactMap { numbers[$0] })
        // A word of no title weighs half as much as the rarest.
        let unknownWeight = log2(Double(occupations.count + 1)) / 2
        var all = wanted.reduce(0) { $0 + weights[Int($1)] } + (head.map { weights[Int($0)] } ?? unknownWeight)
        all += unknownWeight * Double(Set(words).count - wanted.count)
        var best: (title: Int32, share: Double)?
        for word in rarer(wanted, head, weight: least * all) {
            for title in titlesOfWord[Int(word)] {
                let share = share(of: title, wanted, head, all)
                // Of equal titles, the first counts, whichever word led to it.
                if share > best?.share ?? 0 || share == best?.share && title < best!.title { best = (title, share) }
            }
        }
        guard let best, best.share >= least else { return nil }
        return (Int(occupations[Int(best.title)]), best.share)
    }

    /// The words of which a title needs at least one to share this much weight.
    private func rarer(_ wanted: [Int32], _ head: Int32?, weight: Double) -> ArraySlice<Int32> {
        func worth(_ word: Int32) -> Double { weights[Int(word)] * (word == head ? 2 : 1) }
        let frequentFirst = wanted.sorted { (worth($0), $0) < (worth($1), $1) }
        var sum = 0.0
        let count = frequentFirst.firstIndex { word in
            sum += worth(word)
            return sum >= weight
        }
        return frequentFirst[(count ?? frequentFirst.endIndex)...]
    }

    private func share(of title: Int32, _ wanted: [Int32], _ head: Int32?, _ all: Double) -> Double {
        var (shared, missing) = (0.0, 0.0)
        for word in words[Int(starts[Int(title)])..<Int(starts[Int(title) + 1])] {
            let weight = weights[Int(word)]
            if wanted.contains(word) {
                shared += word == head ? 2 * weight : weight
            } else {
                missing += weight
            }
        }
        return shared / (all + missing)
    }
}
