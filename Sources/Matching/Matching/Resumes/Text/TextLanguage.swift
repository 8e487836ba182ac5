internal import Media

/// The language that a text seems to be in, if it is not English.
///
/// The guess uses small words and words of headings; it is meant for texts of which little was understood.
public enum TextLanguage: String, Hashable, Sendable, CaseIterable {
    case spanish
    case french
    case german
    case portuguese
    case italian
    case dutch
    /// Most letters are not Latin.
    case otherScript

    /// The language of the pages of a text; `nil` for English, and if too few words indicate one.
    public init?(of pages: [String]) {
        var letters = (latin: 0, other: 0)
        for page in pages {
            for scalar in page.unicodeScalars.prefix(Self.mostScalars) where scalar.properties.isAlphabetic {
                if Self.isLatin(scalar) { letters.latin += 1 } else { letters.other += 1 }
            }
        }
        if letters.other > letters.latin {
            self = .otherScript
            return
        }
        guard let language = Self.byWords(pages) else { return nil }
        self = language
    }

    /// The English name, for people; `nil` if only the script is known.
    public var name: String? { self == .otherScript ? nil : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// How many scalars of a page are examined.
    private static let mostScalars = 20_000
    /// The minimum number of different words of a language.
    private static let leastWords = 3

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value) || (0xFB00...0xFB06).contains(scalar.value)
    }

    private static func byWords(_ pages: [String]) -> TextLanguage? {
        var counts: [String: Int] = [:]
        for page in pages {
            let text = String(String.UnicodeScalarView(page.unicodeScalars.prefix(mostScalars))).folded
            for word in text.split(whereSeparator: { !$0.isLetter }) { counts[String(word), default: 0] += 1 }
        }
        func score(_ words: Set<String>) -> (different: Int, all: Int) {
            let found = words.compactMap { counts[$0] }
            return (found.count, found.reduce(0, +))
        }
        var best: (language: TextLanguage, all: Int)?
        for language in allCases {
            let (different, all) = score(words[language] ?? [])
            if different >= leastWords, all > best?.all ?? 0 { best = (language, all) }
        }
        guard let best, best.all > score(english).all else { return nil }
        return best.language
    }

    private static func list(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    private static let english = list(
        "the and of to with for at from by as my is was i experience education skills summary work")

    /// Folded.
    private static let words: [TextLanguage: Set<String>] = [
        .spanish: list(
            "el la los las del y en con por para una que como desde experiencia laboral formacion habilidades idiomas"),
        .french: list(
            "le la les des du et une en pour avec dans au aux chez sur depuis formation competences langues diplome"),
        .german: list(
            """
            der die das und mit fur im bei den zur zum von auf eine als seit berufserfahrung ausbildung kenntnisse \
            sprachen lebenslauf
            """),
        .portuguese: list(
            "o os da do das dos em para com uma na no por como desde experiencia formacao habilidades idiomas"),
        .italian: list(
            "il lo gli di della del dei con per in una nel alla presso esperienza istruzione competenze lingue"),
        .dutch: list("de het een van en met voor bij op als tot naar werkervaring opleiding vaardigheden talen"),
    ]
}
