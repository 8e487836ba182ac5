internal import Media

/// What is written for each row of a plan. Names are quoted once for all rows.
struct RowLayout {
    /// How values are written.
    enum Form {
        case json, csv
        /// JSON within a quoted value of CSV, where quotes and backslashes are doubled.
        case jsonInCSV
    }

    /// A column.
    struct Field {
        /// The bytes before the value: a bracket or comma, and in JSON the name.
        let lead: [UInt8]
        /// The place in the table's rows.
        let column: Int
        let cast: ColumnCast?
        /// Whether an address is returned in place of the path.
        let isFile: Bool
    }

    /// Rows within a row.
    struct Relation {
        /// As in a field; empty for a spread relation.
        let lead: [UInt8]
        /// The place among the row's relations.
        let index: Int
        let layout: RowLayout
        let isToOne: Bool
        let isSpread: Bool
    }

    let form: Form
    let fields: [Field]
    let relations: [Relation]
    /// The names of all members, including members of spread rows.
    let names: [String]

    init(_ plan: RowPlan, as form: Form) {
        self.init(plan, as: form, isFirst: true)
    }

    /// - Parameter isFirst: whether nothing precedes it in the same object or line.
    private init(_ plan: RowPlan, as form: Form, isFirst: Bool) {
        var names: [String] = []
        func lead(_ name: String) -> [UInt8] {
            defer { names.append(name) }
            return Self.lead(of: name, as: form, isFirst: isFirst && names.isEmpty)
        }
        self.form = form
        fields = plan.fields.map { field in
            Field(
                lead: lead(field.key), column: field.column, cast: field.cast,
                isFile: field.column == plan.table.fileColumn)
        }
        var relations: [Relation] = []
        for (index, relation) in plan.relations.enumerated() {
            var (layout, start): (RowLayout, [UInt8])
            if relation.isSpread {
                (layout, start) = (RowLayout(relation.plan, as: form, isFirst: isFirst && names.isEmpty), [])
                names += layout.names
            } else if relation.isCounted || !relation.plan.isEmpty {
                (layout, start) = (RowLayout(relation.plan, as: form == .json ? .json : .jsonInCSV), lead(relation.key))
            } else {
                continue
            }
            relations.append(
                Relation(
                    lead: start, index: index, layout: layout, isToOne: relation.isToOne, isSpread: relation.isSpread))
        }
        self.relations = relations
        self.names = names
    }

    private static func lead(of name: String, as form: Form, isFirst: Bool) -> [UInt8] {
        if form == .csv { return isFirst ? [] : [UInt8(ascii: ",")] }
        var lead = Array((isFirst ? "{" : ", ").utf8)
        JSON.string(name).write(to: &lead)
        lead += ": ".utf8
        if form == .jsonInCSV { lead.doubleQuotes(from: 0) }
        return lead
    }
}

extension RowPlan {
    /// Whether the response has nothing of the rows.
    fileprivate var isEmpty: Bool {
        fields.isEmpty && relations.allSatisfy { !$0.isCounted && $0.plan.isEmpty }
    }
}

extension RowTable {
    /// The place of `file_url`; `nil` for a table without files.
    var fileColumn: Int? { self == .documents ? index(of: "file_url") : nil }
}

extension [UInt8] {
    /// Doubles the quotes and backslashes from an index on.
    mutating func doubleQuotes(from start: Int) {
        let isDoubled = { (byte: UInt8) in byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }
        guard self[start...].contains(where: isDoubled) else { return }
        let bytes = Array(self[start...])
        removeSubrange(start...)
        for byte in bytes {
            if isDoubled(byte) { append(byte) }
            append(byte)
        }
    }
}
