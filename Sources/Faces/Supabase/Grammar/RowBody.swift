package import Media

/// The rows of a request's body.
package struct RowBody: Hashable, Sendable {
    /// The keys that all rows give, or that the parameter `columns` names.
    package var keys: [String]
    /// The values by key.
    package var rows: [[String: JSON]]

    /// More than the columns of any table.
    private static let mostKeys = 100

    /// Reads a body of one object or an array of objects.
    ///
    /// - Parameters:
    ///   - type: the header `Content-Type`; `nil` means JSON.
    ///   - columns: the keys to use; without them, all objects must have the same keys.
    /// - Throws: `PGRST102`; `54000` for more rows than one request can write.
    package init(parsing bytes: [UInt8], type: String?, columns: [String]?) throws(RowError) {
        let essence = type?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
        guard essence == nil || essence == "application/json" else {
            throw .badBody("Content-Type not acceptable: \(essence ?? "")")
        }
        guard let json = try? JSON(parsing: bytes) else { throw .badBody("Empty or invalid json") }
        let elements = json.array ?? (json.members == nil ? [] : [json])
        guard elements.count <= RowCall.mostRows else { throw .tooManyRows(Int64(elements.count)) }
        rows = []
        for element in elements {
            guard let members = element.members else { throw .badBody("All object keys must match") }
            guard members.count <= Self.mostKeys else { throw .badBody("A row has more than \(Self.mostKeys) keys") }
            rows.append(Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
        }
        if let columns {
            keys = columns.reduce(into: []) { keys, column in if !keys.contains(column) { keys.append(column) } }
            let wanted = Set(columns)
            rows = rows.map { row in row.filter { wanted.contains($0.key) } }
        } else {
            let first = rows.first.map { Set($0.keys) } ?? []
            guard rows.allSatisfy({ Set($0.keys) == first }) else { throw .badBody("All object keys must match") }
            keys = first.sorted()
        }
    }
}
