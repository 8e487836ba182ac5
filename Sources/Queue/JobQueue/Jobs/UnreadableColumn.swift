/// A column of a stored job that holds what no program of ours writes there.
public struct UnreadableColumn: Hashable, Sendable {
    /// Its name in the table.
    public let name: String
    /// What it holds, in words and shortened.
    public let found: String
}

extension [UnreadableColumn] {
    /// All of them in one sentence.
    public var text: String { map { "column \($0.name) holds \($0.found)" }.joined(separator: "; ") }
}
