extension Recipe {
    /// A recipe from its current canonical form; `nil` for any other text.
    public init?(canonical text: some StringProtocol) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 10, let box = Box(parsing: parts[1]), let fit = Fit(rawValue: String(parts[2])),
            let format = Format(rawValue: String(parts[4])),
            let background = Colour(parsing: parts[6]), let pageIndex = Int(parts[7].dropFirst()),
            let time = TimePosition(canonical: parts[8])
        else { return nil }
        self.init(
            box: box, fit: fit, enlarge: parts[3] == "enlarge", format: format,
            quality: Int(parts[5].dropFirst()) ?? 80, background: background, pageIndex: pageIndex, time: time,
            allowsIcon: parts[9] == "icon")
        // Rejects other spellings of the same values.
        guard canonical == text else { return nil }
    }
}

extension TimePosition {
    /// A time from its description; `nil` for anything else.
    init?(canonical text: some StringProtocol) {
        if text == "poster" {
            self = .poster
        } else if text.hasSuffix("permille") {
            guard let count = Int64(text.dropLast("permille".count)) else { return nil }
            self = .permille(count)
        } else {
            guard text.hasSuffix("ms"), let count = Int64(text.dropLast("ms".count)) else { return nil }
            self = .milliseconds(count)
        }
    }
}
