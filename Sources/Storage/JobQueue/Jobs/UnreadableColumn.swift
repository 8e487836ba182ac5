/// A column of a stored job with a value that this program never writes there, as after damage to the file.
public struct UnreadableColumn: Hashable, Sendable {
    /// The column's name in the table.
    public let name: String
    /// The value in words, shortened.
    public let found: String
}

extension [UnreadableColumn] {
    /// The columns and their values in one sentence, for a failure's detail.
    public var text: String { map { "column \($0.name) holds \($0.found)" }.joined(separator: "; ") }
}
