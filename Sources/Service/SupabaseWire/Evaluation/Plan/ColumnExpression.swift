import Documents
import Media

/// A column of a table, and perhaps a way into its JSON, bound to its place in the rows.
struct ColumnExpression: Hashable, Sendable {
    let index: Int
    let steps: [ColumnPath.Step]
    /// The type of the values.
    let type: ColumnType

    /// - Throws: `42703`.
    init(_ path: ColumnPath, of table: RowTable) throws(RowError) {
        index = try table.place(of: path.name)
        steps = path.steps
        type = steps.last.map { $0.isText ? .text : .json } ?? table.columns[index].type
    }

    /// The value in a row.
    func value(in row: [RowValue]) -> RowValue {
        let value = row[index]
        if steps.isEmpty || value.isNull { return value }
        var json = value.json
        for step in steps {
            guard let part = Self.part(step.part, of: json) else { return .null }
            json = part
        }
        guard steps.last?.isText == true else { return .json(json) }
        return json == .null ? .null : .text(json.string ?? json.text)
    }

    private static func part(_ part: ColumnPath.Step.Part, of json: JSON) -> JSON? {
        switch part {
        case .key(let key): return json[key]
        case .index(let digits):
            guard let elements = json.array, let index = Int(digits) else { return nil }
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? elements[place] : nil
        }
    }
}
