extension String {
    /// The text as `ilike` compares it: in lower case by Unicode's rules, with `σ` for `ς`, which ends Greek words.
    ///
    /// Patterns are converted with it, and on SQLite the texts too.
    public var unicodeLower: String {
        var lower = String.UnicodeScalarView()
        for scalar in lowercased().unicodeScalars { lower.append(scalar == "ς" ? "σ" : scalar) }
        return String(lower)
    }
}
