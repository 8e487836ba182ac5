package import HTTPServing
package import Media

/// Writes rows as the bytes of a response, up to a limit for all of them. Rows share the rows within them, so a few
/// rows in memory can become very many in a response.
package struct RowWriter {
    /// Makes the address of a version's file from the path under which it was stored.
    package typealias Address = (_ path: String, _ object: ObjectID?) -> String

    private let plan: RowPlan
    private let address: Address
    private var rowCount = 0
    private var body: AnswerBody

    /// - Parameters:
    ///   - memory: the memory that all responses share.
    ///   - address: makes the value of `file_url`.
    package init(_ plan: RowPlan, memory: AnswerMemory = .shared, address: @escaping Address) {
        self.plan = plan
        self.address = address
        body = AnswerBody(in: memory)
    }

    private static let mostRows = 200_000

    /// Writes a row as an object.
    ///
    /// - Throws: an error for a cast that a value does not allow; `54000` if all written rows or bytes are too many;
    ///   `53400` if other responses take all memory.
    package mutating func object(for row: SelectedRow) throws(RowError) {
        try writeObject(row, RowLayout(plan, as: .json))
    }

    /// Writes rows as an array of objects.
    ///
    /// - Throws: as `object(for:)`.
    package mutating func array(of rows: [SelectedRow]) throws(RowError) {
        try writeArray(rows, RowLayout(plan, as: .json))
    }

    /// Writes rows as the lines of PostgREST's CSV: the names, then PostgreSQL's text of each row without its brackets.
    /// Relations are JSON.
    ///
    /// - Throws: as `object(for:)`.
    package mutating func lines(for rows: [SelectedRow]) throws(RowError) {
        let layout = RowLayout(plan, as: .csv)
        // If there are no rows, PostgREST names no columns.
        if !rows.isEmpty { append(layout.names.joined(separator: ",")) }
        append("\n")
        for (index, row) in rows.enumerated() {
            if index > 0 { append("\n") }
            try writeMembers(of: row, layout)
        }
    }

    /// The complete body.
    ///
    /// - Throws: `54000` if it is too large.
    package consuming func finish() throws(RowError) -> AnswerBody {
        do {
            try body.checkSize()
        } catch {
            throw RowError(answer: error)
        }
        return body
    }

    private mutating func closeFullPieces() throws(RowError) {
        do {
            try body.closeFullPieces()
        } catch {
            throw RowError(answer: error)
        }
    }

    private mutating func append(_ text: String) { body.tail += text.utf8 }

    private mutating func append(_ value: JSON, as form: RowLayout.Form) {
        let start = body.tail.count
        value.write(to: &body.tail)
        if form == .jsonInCSV { body.tail.doubleQuotes(from: start) }
    }

    private mutating func writeArray(_ rows: [SelectedRow], _ layout: RowLayout) throws(RowError) {
        append("[")
        for (index, row) in rows.enumerated() {
            if index > 0 { append(", ") }
            try writeObject(row, layout)
        }
        append("]")
    }

    private mutating func writeObject(_ row: SelectedRow, _ layout: RowLayout) throws(RowError) {
        // The first member's lead has the bracket.
        if layout.names.isEmpty { append("{") }
        try writeMembers(of: row, layout)
        append("}")
        try closeFullPieces()
    }

    /// - Parameter row: `nil` if a spread relation has no row: all of its values are null.
    private mutating func writeMembers(of row: SelectedRow?, _ layout: RowLayout) throws(RowError) {
        rowCount += 1
        guard rowCount <= Self.mostRows else { throw .tooManyAnswered(most: Self.mostRows) }
        for field in layout.fields {
            body.tail += field.lead
            try write(field, of: row, as: layout.form)
            try closeFullPieces()
        }
        for relation in layout.relations {
            let related = row?.related[relation.index] ?? .rows([])
            if relation.isSpread {
                try writeMembers(of: related.rows.first, relation.layout)
            } else {
                body.tail += relation.lead
                try write(related, by: relation, as: layout.form)
                try closeFullPieces()
            }
        }
    }

    private mutating func write(
        _ field: RowLayout.Field, of row: SelectedRow?, as form: RowLayout.Form
    ) throws(RowError) {
        var value = row?.values[field.column] ?? .null
        if field.isFile, let row, case .text(let path) = value {
            value = .text(address(path, row.object))
        }
        if form == .csv {
            let text = try field.cast.map { cast throws(RowError) in try cast.text(of: value) } ?? value.outputText
            if let text { append(text.quoted(forBrackets: "(", ")") { $0 }) }
        } else {
            append(try field.cast.map { cast throws(RowError) in try cast.apply(to: value) } ?? value.json, as: form)
        }
    }

    private mutating func write(
        _ related: SelectedRow.Related, by relation: RowLayout.Relation, as form: RowLayout.Form
    ) throws(RowError) {
        if case .rows(let rows) = related, rows.isEmpty {
            // Neither is quoted in CSV, which writes nothing for null.
            append(relation.isToOne ? form == .csv ? "" : "null" : "[]")
            return
        }
        if form == .csv { append("\"") }
        switch related {
        case .count(let count):
            append(.array([.object([JSON.Member("count", .integer(count))])]), as: relation.layout.form)
        case .rows(let rows) where relation.isToOne: try writeObject(rows[0], relation.layout)
        case .rows(let rows): try writeArray(rows, relation.layout)
        }
        if form == .csv { append("\"") }
    }
}
