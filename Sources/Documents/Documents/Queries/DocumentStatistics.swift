public import Media

/// Sums over a person's documents.
public struct DocumentStatistics: Hashable, Sendable {
    /// How many documents there are.
    public var totalCount: Int
    /// How many of them are shared with a school.
    public var sharedCount: Int
    /// How many there are of each type; types without documents are missing.
    public var countsByType: [DocumentType: Int]
    /// The bytes of the files of all versions.
    public var byteCount: Int64

    /// Sums as a store has read them.
    public init(totalCount: Int, sharedCount: Int, countsByType: [DocumentType: Int], byteCount: Int64) {
        self.totalCount = totalCount
        self.sharedCount = sharedCount
        self.countsByType = countsByType
        self.byteCount = byteCount
    }

    /// The type with the most documents; of equal ones, the first in the order of types. `nil` without documents.
    public var mostCommonType: DocumentType? {
        let most = countsByType.values.max() ?? 0
        return most == 0 ? nil : DocumentType.allCases.first { countsByType[$0] == most }
    }
}
