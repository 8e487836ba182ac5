/// A row that cannot be read.
public struct UnreadableRow: Hashable, Sendable {
    /// What it would be: `school`, `template` or `link`.
    public let kind: String
    /// Its first column, as the log names it.
    public let name: String
}
