/// The steps that one query may take in matching patterns, over all its rows.
struct Effort {
    /// About a second of regular expressions.
    private var left = 20_000_000

    /// - Throws: `57014` when nothing is left, as a database does after its statement's time.
    mutating func spend(_ steps: Int) throws(RowError) {
        left -= steps
        if left < 0 { throw RowError(500, "57014", "canceling statement due to statement timeout") }
    }
}
