/// Finds known phrases in a text, all in one pass: a trie over the words' keys.
struct PhraseIndex: Sendable {
    /// A phrase that was found.
    struct Hit {
        /// The words of the text.
        let words: Range<Int>
        /// The values of the phrase, in the order in which they were added.
        let values: [Int32]
    }

    private static let root: UInt32 = 0
    /// A number for each word of the phrases; words of the text that are in none end every phrase.
    private var numbers: [String: UInt32] = [:]
    /// From a node and a word's number to the next node.
    private var edges: [UInt64: UInt32] = [:]
    private var values: [[Int32]] = [[]]

    /// Adds a phrase; phrases without words are left out.
    mutating func add(_ words: some Sequence<String>, value: Int32) {
        var node = Self.root
        for word in words {
            let number = numbers[word] ?? UInt32(numbers.count)
            numbers[word] = number
            let edge = UInt64(node) << 32 | UInt64(number)
            if let next = edges[edge] {
                node = next
            } else {
                node = UInt32(values.count)
                values.append([])
                edges[edge] = node
            }
        }
        if node != Self.root, !values[Int(node)].contains(value) { values[Int(node)].append(value) }
    }

    /// The values of exactly this phrase.
    func values(of words: some Sequence<String>) -> [Int32] {
        var node = Self.root
        for word in words {
            guard let number = numbers[word], let next = edges[UInt64(node) << 32 | UInt64(number)] else { return [] }
            node = next
        }
        return values[Int(node)]
    }

    /// The longest phrase from each word on, none inside another one. A phrase does not run over the end of a phrase of
    /// the text.
    func hits(in words: [ScannedWord]) -> [Hit] {
        var hits: [Hit] = []
        let numbered = words.map { numbers[$0.key] }
        var start = 0
        while start < words.count {
            guard let hit = longest(in: words, numbered, from: start) else {
                start += 1
                continue
            }
            hits.append(hit)
            start = hit.words.upperBound
        }
        return hits
    }

    private func longest(in words: [ScannedWord], _ numbered: [UInt32?], from start: Int) -> Hit? {
        var node = Self.root
        var found: Hit?
        var index = start
        while index < words.count, index == start || !words[index].startsPhrase, let number = numbered[index],
            let next = edges[UInt64(node) << 32 | UInt64(number)]
        {
            node = next
            index += 1
            if !values[Int(node)].isEmpty { found = Hit(words: start..<index, values: values[Int(node)]) }
        }
        return found
    }
}
