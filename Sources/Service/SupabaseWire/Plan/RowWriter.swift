internal import Documents
package import Media

/// Makes answers of rows. What they may have together is bounded: rows share those within them, so that few rows in memory can be a great many
/// in an answer.
package struct RowWriter {
    /// Makes the address of a version's file of the path where it was stored.
    package typealias Address = (_ path: String, _ object: ObjectID?) -> String

    private let plan: RowPlan
    private let address: Address
    private var rowCount = 0
    private var byteCount = 0

    /// - Parameter address: makes what is answered as `file_url`.
    package init(_ plan: RowPlan, address: @escaping Address) {
        self.plan = plan
        self.address = address
    }

    private static let mostRows = 200_000
    /// Of all texts: an answer is in memory several times on its way out.
    static let mostBytes = 32 << 20

    /// A row as the object that is answered.
    ///
    /// - Throws: for a cast that a value does not allow; `54000` where all objects together are too many or too large.
    package mutating func object(for row: SelectedRow) throws(RowError) -> JSON {
        .object(try members(of: row, plan))
    }

    /// Rows as the lines of PostgREST's CSV: the names, then PostgreSQL's text of each row without its brackets. Relations are JSON.
    ///
    /// - Throws: as `object(for:)`.
    package mutating func lines(for rows: [SelectedRow]) throws(RowError) -> String {
        var (names, lines) = ("", [String]())
        for row in rows {
            let members = try members(of: row, plan, asTexts: true)
            names = members.map(\.key).joined(separator: ",")
            let texts = members.map { $0.value.string?.quoted(forBrackets: "(", ")") { $0 } ?? "" }
            lines.append(texts.joined(separator: ","))
        }
        return "\(names)\n" + lines.joined(separator: "\n")
    }

    /// - Parameter asTexts: whether values are the texts that PostgreSQL has for them.
    private mutating func members(
        of row: SelectedRow?, _ plan: RowPlan, asTexts: Bool = false
    ) throws(RowError) -> [JSON.Member] {
        rowCount += 1
        guard rowCount <= Self.mostRows else { throw .tooManyAnswered(most: Self.mostRows) }
        var members: [JSON.Member] = []
        for field in plan.fields {
            let member = JSON.Member(
                field.key, try row.map { row throws(RowError) in try json(field, row, plan, asTexts) } ?? .null)
            byteCount += member.key.utf8.count + member.value.textByteCount
            members.append(member)
        }
        guard byteCount <= Self.mostBytes else { throw .tooLarge(most: Self.mostBytes) }
        for (index, relation) in plan.relations.enumerated() {
            let related = row?.related[index] ?? .rows([])
            if relation.isSpread {
                members += try self.members(of: related.rows.first, relation.plan, asTexts: asTexts)
            } else if relation.isCounted || !relation.plan.isEmpty {
                let value = try answer(relation, related)
                members.append(JSON.Member(relation.key, asTexts && value != .null ? .string(value.text) : value))
            }
        }
        return members
    }

    private func json(
        _ field: RowPlan.Field, _ row: SelectedRow, _ plan: RowPlan, _ asTexts: Bool
    ) throws(RowError) -> JSON {
        var value = row.values[field.column]
        if field.column == plan.table.fileColumn, case .text(let path) = value {
            value = .text(address(path, row.object))
        }
        if asTexts {
            let text = try field.cast.map { cast throws(RowError) in try cast.text(of: value) } ?? value.outputText
            return text.map(JSON.string) ?? .null
        }
        return try field.cast.map { cast throws(RowError) in try cast.apply(to: value) } ?? value.json
    }

    private mutating func answer(_ relation: RowPlan.Relation, _ related: SelectedRow.Related) throws(RowError) -> JSON
    {
        switch related {
        case .count(let count): return .array([.object([JSON.Member("count", .integer(count))])])
        case .rows(let rows) where relation.isToOne:
            guard let row = rows.first else { return .null }
            return .object(try members(of: row, relation.plan))
        case .rows(let rows):
            var objects: [JSON] = []
            for row in rows { objects.append(.object(try members(of: row, relation.plan))) }
            return .array(objects)
        }
    }
}

extension RowPlan {
    /// Whether nothing is answered of the rows.
    fileprivate var isEmpty: Bool {
        fields.isEmpty && relations.allSatisfy { !$0.isCounted && $0.plan.isEmpty }
    }
}

extension RowTable {
    /// The place of `file_url`; `nil` for a table without files.
    var fileColumn: Int? { self == .documents ? index(of: "file_url") : nil }
}

extension JSON {
    /// The bytes of all texts and names within.
    fileprivate var textByteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.textByteCount }
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.textByteCount }
        default: 8
        }
    }
}
