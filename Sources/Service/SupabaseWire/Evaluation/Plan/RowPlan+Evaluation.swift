package import Media

/// Where the rows of tables come from.
package protocol RowSource {
    /// All rows that the caller may see, each with a value for every column of the table in its order.
    func rows(of table: RowTable) throws(RowError) -> [[RowValue]]
}

/// A row that fulfils a query, with the rows that belong to it.
package struct SelectedRow {
    /// A value for every column of the table.
    package let values: [RowValue]
    let related: [[SelectedRow]]
    /// How many rows an answer has for it: itself, and those within it, once for each time that they are answered.
    ///
    /// Selected rows share those within them, so that few rows in memory can be a great many in an answer.
    let count: Int

    init(values: [RowValue], related: [[SelectedRow]]) {
        self.values = values
        self.related = related
        // Beyond what may be answered the number itself does not matter.
        count = related.joined().reduce(1) { min($0 + $1.count, Self.mostAnswered + 1) }
    }

    /// The most rows of one answer, those within others counted.
    static let mostAnswered = 200_000

    /// - Throws: `54000` where the rows are more than may be answered.
    static func check(_ rows: some Sequence<SelectedRow>) throws(RowError) {
        guard rows.reduce(0, { min($0 + $1.count, mostAnswered + 1) }) <= mostAnswered else {
            throw RowError(
                400, "54000", "the answer would have more than \(mostAnswered) rows",
                details: "Rows within rows count each time. Select fewer of them, or a limit for each.")
        }
    }
}

extension RowPlan {
    /// The rows of a source that fulfil the query, in its order, before its range is taken.
    package func select(
        from source: some RowSource, until hasReaderLeft: @escaping () -> Bool = { false }
    ) throws(RowError) -> [SelectedRow] {
        try select(try source.rows(of: table), from: source, until: hasReaderLeft)
    }

    /// These rows as far as they fulfil the query, with their relations from the source.
    ///
    /// - Parameter hasReaderLeft: whether nobody waits for them any more; then it throws.
    package func select(
        _ rows: [[RowValue]], from source: some RowSource, until hasReaderLeft: @escaping () -> Bool = { false }
    ) throws(RowError) -> [SelectedRow] {
        var effort = Effort(until: hasReaderLeft)
        return try select(rows, from: source, effort: &effort)
    }

    private func select(
        _ rows: [[RowValue]], from source: some RowSource, effort: inout Effort
    ) throws(RowError) -> [SelectedRow] {
        // A query may name a relation a thousand times.
        try effort.spend(Self.stepsForRow * rows.count)
        var groups: [[RowValue: [SelectedRow]]] = []
        for relation in relations {
            let others = try relation.plan.select(
                try source.rows(of: relation.plan.table), from: source, effort: &effort)
            groups.append(Dictionary(grouping: others) { $0.values[relation.columns.there] })
        }
        var selected: [SelectedRow] = []
        for values in rows {
            let related = relations.indices.map { index in
                let relation = relations[index]
                let key = values[relation.columns.here]
                guard !key.isNull, let others = groups[index][key] else { return [SelectedRow]() }
                return Array(relation.plan.range.apply(to: others))
            }
            if relations.indices.contains(where: { relations[$0].isInner && related[$0].isEmpty }) { continue }
            let result = try condition.result(for: values, related: related.map { !$0.isEmpty }, effort: &effort)
            if result == true { selected.append(SelectedRow(values: values, related: related)) }
        }
        return try sorted(selected, effort: &effort)
    }

    /// What a row costs beside its patterns.
    private static let stepsForRow = 8

    /// Rows that the order does not tell apart keep their order.
    private func sorted(_ rows: [SelectedRow], effort: inout Effort) throws(RowError) -> [SelectedRow] {
        if order.isEmpty { return rows }
        try effort.spend(Self.stepsForRow * order.count * rows.count)
        let keyed = rows.enumerated().map { index, row in
            (index: index, row: row, keys: order.map { SortKey(of: $0, in: row) })
        }
        return keyed.sorted { left, right in
            for (place, term) in order.enumerated() {
                let order = term.order(left.keys[place], right.keys[place])
                if order != 0 { return order < 0 }
            }
            return left.index < right.index
        }.map(\.row)
    }
}

/// A value that rows are ordered by, with its text folded once for all comparisons.
private struct SortKey {
    let value: RowValue
    let folded: String

    init(of term: RowPlan.Term, in row: SelectedRow) {
        value = term.value(in: row)
        if case .text(let text) = value { folded = text.folded } else { folded = "" }
    }
}

extension RowPlan.Term {
    fileprivate func value(in row: SelectedRow) -> RowValue {
        guard let relation else { return column.value(in: row.values) }
        return row.related[relation].first.map { column.value(in: $0.values) } ?? .null
    }

    /// Below zero if `left` comes first.
    fileprivate func order(_ left: SortKey, _ right: SortKey) -> Int {
        switch (left.value.isNull, right.value.isNull) {
        case (true, true): return 0
        case (true, false): return nullsFirst ? -1 : 1
        case (false, true): return nullsFirst ? 1 : -1
        case (false, false):
            let folded = left.folded < right.folded ? -1 : left.folded == right.folded ? 0 : 1
            let order = folded == 0 ? left.value.order(to: right.value) : folded
            return isDescending ? -order : order
        }
    }
}

/// Answers.
extension RowPlan {
    /// What makes the values of a table's row ready to be answered.
    package typealias Finish = (RowTable, [RowValue]) -> [RowValue]

    /// A row, and those that belong to it, ready to be answered.
    func finished(_ row: SelectedRow, by finish: Finish) -> SelectedRow {
        let related = relations.indices.map { index in
            row.related[index].map { relations[index].plan.finished($0, by: finish) }
        }
        return SelectedRow(values: finish(table, row.values), related: related)
    }

    /// A row as the object that is answered.
    ///
    /// - Throws: for a cast that the value does not allow.
    package func object(for row: SelectedRow) throws(RowError) -> JSON {
        .object(try members(of: row))
    }

    private func members(of row: SelectedRow?) throws(RowError) -> [JSON.Member] {
        var members: [JSON.Member] = []
        for field in fields {
            let value = row.map { field.column.value(in: $0.values) } ?? .null
            members.append(
                JSON.Member(
                    field.key, try field.cast.map { cast throws(RowError) in try cast.apply(to: value) } ?? value.json))
        }
        for (index, relation) in relations.enumerated() {
            let others = row?.related[index] ?? []
            if relation.isSpread {
                members += try relation.plan.members(of: others.first)
            } else if !relation.plan.isEmpty {
                members.append(JSON.Member(relation.key, try relation.answer(others)))
            }
        }
        return members
    }

    /// Whether nothing is answered of the rows.
    private var isEmpty: Bool { fields.isEmpty && relations.allSatisfy(\.plan.isEmpty) }
}

extension RowPlan.Relation {
    fileprivate func answer(_ rows: [SelectedRow]) throws(RowError) -> JSON {
        if isToOne {
            guard let row = rows.first else { return .null }
            return try plan.object(for: row)
        }
        var objects: [JSON] = []
        for row in rows { objects.append(try plan.object(for: row)) }
        return .array(objects)
    }
}
