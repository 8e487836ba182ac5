public import Media

/// Facts as the text of a JSON object: a list passes on the facts of many documents without parsing any.
public struct FactsText: Hashable, Sendable {
    /// The object, as `Facts.json` writes it.
    public let text: String

    /// Facts that are to be stored.
    public init(_ facts: Facts) { text = facts.json.text }

    /// Facts from a store.
    ///
    /// - Parameter stored: a JSON value; the result is `nil` if it does not begin as `Facts.json` does.
    public init?(stored: String) {
        guard stored.utf8.starts(with: Self.beginning) else { return nil }
        text = stored
    }

    private static let beginning = Array(#"{"mediaType": ""#.utf8)

    /// The values; `nil` if a required value is missing. Each call parses the text.
    public var facts: Facts? { (try? JSON(parsing: Array(text.utf8))).flatMap(Facts.init(json:)) }
}
