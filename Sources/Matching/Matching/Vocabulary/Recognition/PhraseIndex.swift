internal import Media

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
    private static let none: Int32 = -1
    /// A number for each word of the phrases; a word of the text that is in none of them ends every phrase.
    private var numbers: [String: UInt32] = [:]
    /// From a node and a word's number to the next node.
    private var edges: [UInt64: UInt32] = [:]
    /// The first value of each node, of which most have none or one.
    private var firsts: [Int32] = [none]
    /// The values after the first, of nodes that have several.
    private var others: [UInt32: [Int32]] = [:]

    /// An index for about this many phrases.
    init(phraseCount: Int) {
        edges.reserveCapacity(phraseCount)
        firsts.reserveCapacity(phraseCount)
    }

    /// Adds a phrase; phrases without words are ignored.
    mutating func add(_ words: some Sequence<String>, value: Int32) {
        var node = Self.root
        for word in words {
            let number: UInt32
            if let known = numbers[word] {
                number = known
            } else {
                number = UInt32(numbers.count)
                numbers[word] = number
            }
            let edge = UInt64(node) << 32 | UInt64(number)
            if let next = edges[edge] {
                node = next
            } else {
                node = UInt32(firsts.count)
                firsts.append(Self.none)
                edges[edge] = node
            }
        }
        guard node != Self.root else { return }
        if firsts[Int(node)] == Self.none {
            firsts[Int(node)] = value
        } else if !values(at: node).contains(value) {
            others[node, default: []].append(value)
        }
    }

    /// The values of exactly this phrase.
    func values(of words: some Sequence<String>) -> [Int32] {
        var node = Self.root
        for word in words {
            guard let number = numbers[word], let next = edges[UInt64(node) << 32 | UInt64(number)] else { return [] }
            node = next
        }
        return values(at: node)
    }

    private func values(at node: UInt32) -> [Int32] {
        let first = firsts[Int(node)]
        return first == Self.none ? [] : [first] + (others[node] ?? [])
    }

    /// The longest phrase at each word, without phrases inside another one. A match does not cross a phrase boundary of
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
        var found: (node: UInt32, end: Int)?
        var index = start
        while index < words.count, index == start || !words[index].startsPhrase, let number = numbered[index],
            let next = edges[UInt64(node) << 32 | UInt64(number)]
        {
            node = next
            index += 1
            if firsts[Int(node)] != Self.none { found = (node, index) }
        }
        return found.map { Hit(words: start..<$0.end, values: values(at: $0.node)) }
    }
}
