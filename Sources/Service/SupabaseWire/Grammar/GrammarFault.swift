/// A fault in text of the rows' grammar: where it lies, and what could have stood there.
///
/// Faults of alternatives are merged as Parsec does, the parser library of PostgREST, so that the messages agree.
struct GrammarFault: Error, Hashable {
    /// The index of the scalar at which reading stopped.
    var offset: Int
    /// What stood there, quoted; empty for the end of the input.
    var foundInput: [String] = []
    /// What stood there although it is excluded.
    var found: [String] = []
    /// The words for what could stand there.
    var expected: [String] = []

    /// Whether the fault says nothing but its place.
    var isUnknown: Bool { foundInput.isEmpty && found.isEmpty && expected.isEmpty }

    /// The fault of two alternatives: the one further on, or both where they stopped at one place.
    func merged(with other: GrammarFault) -> GrammarFault {
        if other.isUnknown && !isUnknown { return self }
        if isUnknown && !other.isUnknown { return other }
        if offset != other.offset { return offset > other.offset ? self : other }
        return GrammarFault(
            offset: offset, foundInput: foundInput + other.foundInput, found: found + other.found,
            expected: expected + other.expected)
    }

    /// The fault in words, such as `unexpected "x" expecting "asc" or "desc"`.
    var words: String {
        if isUnknown { return "unknown parse error" }
        var parts: [String] = []
        if found.isEmpty, let first = foundInput.first {
            parts.append("unexpected " + (first.isEmpty ? "end of input" : first))
        }
        let lists = [("unexpected", found), ("expecting", expected)]
        for (word, texts) in lists {
            let list = Self.list(texts)
            if !list.isEmpty { parts.append(word + " " + list) }
        }
        return parts.joined(separator: " ")
    }

    private static func list(_ texts: [String]) -> String {
        var seen: [String] = []
        for text in texts where !text.isEmpty && !seen.contains(text) { seen.append(text) }
        guard let last = seen.popLast() else { return "" }
        return seen.isEmpty ? last : seen.joined(separator: ", ") + " or " + last
    }
}
