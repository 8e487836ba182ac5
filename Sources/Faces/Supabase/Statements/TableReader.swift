package import Database
package import Documents
internal import HTTPServing
internal import Linux
package import Media
package import People

/// Reads rows within a caller's reach, for one request. It blocks. Inside a transaction it sees that transaction's
/// changes.
package struct TableReader: Sendable {
    private let database: any SQLDatabase
    private let reach: Reach
    private let index: SearchIndex?
    private let statements: RowStatements
    private let hasClientLeft: @Sendable () -> Bool
    /// The deadline of all reads outside a change.
    private let end = Time.monotonic + Self.longest

    /// Finds the versions of a person that may have a text; `nil` if all must be scanned (`DocumentStore`).
    package typealias SearchIndex = @Sendable (String, ID<Person>) throws -> [ID<Document>]?

    /// - Parameters:
    ///   - index: finds texts in documents; `nil` if there is no index.
    ///   - hasClientLeft: whether nobody waits for the response any more.
    package init(
        _ database: any SQLDatabase, within reach: Reach, index: SearchIndex? = nil,
        hasClientLeft: @escaping @Sendable () -> Bool = { false }
    ) {
        self.database = database
        self.reach = reach
        self.index = index
        statements = RowStatements(dialect: database.dialect, reach: reach)
        self.hasClientLeft = hasClientLeft
    }

    /// Time limit of all statements of a request together, including those that wait for others.
    private static let longest: Duration = .seconds(4)
    /// Time limit of a statement inside a change, for which all other changes wait.
    private static let longestInChange: Duration = .seconds(2)
    /// The most rows of one relation, for all rows together.
    private static let mostRelated = 20_000
    /// The most values that a statement names.
    private static let mostValues = 1000

    /// The rows of a range that fulfil a plan, in its order, with their related rows; and the number of all rows,
    /// including rows outside the range, if they are counted. Both come from one state of the database.
    package func page(
        _ plan: RowPlan, range: RowRange, isCounted: Bool
    ) throws(RowError) -> (rows: [SelectedRow], total: Int64?) {
        try converting {
            try database.read { _ in
                let scope = try scope(plan)
                return (try rows(scope, range: range), isCounted ? try count(scope) : nil)
            }
        }
    }

    /// The rows of a range that fulfil a plan, in its order, with their related rows.
    package func rows(_ plan: RowPlan, range: RowRange) throws(RowError) -> [SelectedRow] {
        try page(plan, range: range, isCounted: false).rows
    }

    /// The rows with these IDs that fulfil a plan, in its order; if it has none, in the order of the IDs.
    package func rows(_ plan: RowPlan, ids: [String]) throws(RowError) -> [SelectedRow] {
        let rows = try rows(plan, where: [0: ids.map(RowValue.uuid)])
        guard plan.order.isEmpty else { return rows }
        let places = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
        return rows.sorted { places[$0.id, default: 0] < places[$1.id, default: 0] }
    }

    /// The rows that fulfil a plan, and have one of the given values in each given column.
    package func rows(_ plan: RowPlan, where values: [Int: [RowValue]]) throws(RowError) -> [SelectedRow] {
        if values.contains(where: \.value.isEmpty) { return [] }
        return try rows(RowStatements.Scope(plan, where: values), range: RowRange())
    }

    /// How many rows fulfil a plan.
    package func count(_ plan: RowPlan) throws(RowError) -> Int64 { try count(try scope(plan)) }

    /// The database's query plan for a page, and for the related rows of `ids`; one element for each step.
    package func explanation(_ plan: RowPlan, ids: [String]) throws(RowError) -> [String] {
        let keys = ids.map(RowValue.uuid)
        let relations = plan.relations.map { relation in
            let scope = RowStatements.Scope(relation.plan, where: [relation.columns.there: keys])
            return statements.rows(
                scope, columns: relation.plan.columns, inGroupsBy: relation.columns.there, limit: Self.mostRelated)
        }
        var steps: [String] = []
        for statement in [statements.rows(try scope(plan), columns: plan.columns, range: RowRange())] + relations {
            // The last column has the step's description.
            try forEachRow("EXPLAIN QUERY PLAN \(statement)") { row in steps += [row.text(3)].compactMap(\.self) }
        }
        return steps
    }

    private func rows(_ scope: RowStatements.Scope, range: RowRange) throws(RowError) -> [SelectedRow] {
        try converting {
            // All of it runs again if the connection is lost meanwhile.
            try database.read { _ in
                var reading = Reading(self)
                return try reading.rows(scope, range: range)
            }
        }
    }

    private func count(_ scope: RowStatements.Scope) throws(RowError) -> Int64 {
        var count: Int64?
        try forEachRow(statements.count(scope)) { count = $0.integer(0) }
        return count ?? 0
    }

    /// The rows of a plan: of documents with a text, only the rows that the index finds.
    private func scope(_ plan: RowPlan) throws(RowError) -> RowStatements.Scope {
        guard let index, case .person(let person) = reach, let text = plan.searchedText,
            let found = try converting({ try index(text, person) })
        else { return RowStatements.Scope(plan) }
        return RowStatements.Scope(plan, where: [0: found.map { .uuid($0.text) }])
    }

    private func forEachRow(_ statement: SQLText, _ body: (any SQLRow) throws -> Void) throws(RowError) {
        let limit = SQLLimit(
            database.isInWriteTransaction ? Self.longestInChange : end - Time.monotonic,
            isWanted: { [hasClientLeft] in !hasClientLeft() })
        try converting {
            try database.read { session in try session.forEachRow(of: statement, within: limit, body) }
        }
    }

    private func converting<Value>(_ body: () throws -> Value) throws(RowError) -> Value {
        do {
            return try body()
        } catch let error as RowError {
            throw error
        } catch let error as any SQLFault where error.trouble == .stopped {
            throw hasClientLeft() ? .clientLeft : .tooLong
        } catch let error as any SQLFault where error.trouble == .tooComplex {
            throw .tooComplex
        } catch {
            throw .unavailable(detail: "\(error)")
        }
    }

    /// The reads for one response, which share one limit.
    private struct Reading {
        private let reader: TableReader
        private var bytesLeft = AnswerBody.mostBytes

        init(_ reader: TableReader) { self.reader = reader }

        mutating func rows(_ scope: RowStatements.Scope, range: RowRange) throws(RowError) -> [SelectedRow] {
            let (plan, columns) = (scope.plan, scope.plan.columns)
            var rows = try read(reader.statements.rows(scope, columns: columns, range: range), plan, columns)
            try relate(&rows, plan)
            return rows
        }

        private mutating func read(
            _ statement: SQLText, _ plan: RowPlan, _ columns: [Int]
        ) throws(RowError) -> [SelectedRow] {
            var rows: [SelectedRow] = []
            try reader.forEachRow(statement) { row in
                // The memory that a row takes besides its texts.
                bytesLeft -= 512
                for place in 0..<columns.count { bytesLeft -= row.utf8(place + 2)?.count ?? 0 }
                guard bytesLeft >= 0 else { throw RowError.tooLarge(most: AnswerBody.mostBytes) }
                if let row = SelectedRow(row, of: plan.table, columns) { rows.append(row) }
            }
            return rows
        }

        /// Adds the related rows to each row, with one statement for each relation.
        private mutating func relate(_ rows: inout [SelectedRow], _ plan: RowPlan) throws(RowError) {
            for relation in plan.relations {
                let keys = Set(rows.map { $0.values[relation.columns.here] }).filter { !$0.isNull }
                let related =
                    relation.isCounted
                    ? try counts(relation, keys).mapValues(SelectedRow.Related.count)
                    : try self.related(relation, keys).mapValues(SelectedRow.Related.rows)
                let none: SelectedRow.Related = relation.isCounted ? .count(0) : .rows([])
                for index in rows.indices {
                    rows[index].related.append(related[rows[index].values[relation.columns.here]] ?? none)
                }
            }
        }

        private mutating func related(
            _ relation: RowPlan.Relation, _ keys: Set<RowValue>
        ) throws(RowError) -> [RowValue: [SelectedRow]] {
            let (plan, key) = (relation.plan, relation.columns.there)
            let columns = Array(Set(plan.columns + [key])).sorted()
            var rows: [SelectedRow] = []
            for scope in scopes(relation, keys) {
                let limit = TableReader.mostRelated - rows.count + 1
                rows += try read(
                    reader.statements.rows(scope, columns: columns, inGroupsBy: key, limit: limit), plan, columns)
                guard rows.count <= TableReader.mostRelated else {
                    throw .tooManyAnswered(most: TableReader.mostRelated)
                }
            }
            try relate(&rows, plan)
            return Dictionary(grouping: rows) { $0.values[key] }
        }

        private func counts(
            _ relation: RowPlan.Relation, _ keys: Set<RowValue>
        ) throws(RowError) -> [RowValue: Int64] {
            let key = relation.columns.there
            let type = relation.plan.table.columns[key].type
            var counts: [RowValue: Int64] = [:]
            for scope in scopes(relation, keys) {
                try reader.forEachRow(reader.statements.counts(scope, inGroupsBy: key)) { row in
                    counts[RowValue(row, 0, of: type)] = row.integer(1)
                }
            }
            return counts
        }

        /// The rows that are related to some keys, in batches of keys.
        private func scopes(_ relation: RowPlan.Relation, _ keys: Set<RowValue>) -> [RowStatements.Scope] {
            let keys = Array(keys)
            return stride(from: 0, to: keys.count, by: TableReader.mostValues).map { start in
                let part = Array(keys[start..<min(start + TableReader.mostValues, keys.count)])
                return RowStatements.Scope(relation.plan, where: [relation.columns.there: part])
            }
        }
    }
}

extension RowPlan {
    /// The places of the columns that are returned or join a relation, and of the primary key.
    fileprivate var columns: [Int] {
        Set([0] + fields.map(\.column) + relations.map(\.columns.here)).sorted()
    }
}

extension SelectedRow {
    /// A row as `RowStatements` selects it; `nil` if it cannot be read.
    fileprivate init?(_ row: any SQLRow, of table: RowTable, _ columns: [Int]) {
        guard let owner = row.text(0).flatMap({ ID<Person>($0) }) else { return nil }
        var values = [RowValue](repeating: .null, count: table.columns.count)
        for (index, place) in columns.enumerated() {
            values[place] = RowValue(row, index + 2, of: table.columns[place].type)
        }
        self.init(values: values, owner: owner, object: row.text(1).flatMap(ObjectID.init(rawValue:)))
    }
}

extension RowValue {
    /// The value of a column; null if it has another type.
    fileprivate init(_ row: any SQLRow, _ column: Int, of type: ColumnType) {
        let value: RowValue? =
            switch type {
            case .text: row.text(column).map(RowValue.text)
            case .uuid: row.text(column).map(RowValue.uuid)
            case .integer: row.integer(column).map(RowValue.integer)
            case .boolean: row.integer(column).map { .boolean($0 != 0) }
            case .timestamp: row.integer(column).map { .timestamp(Instant(microseconds: $0)) }
            case .texts:
                row.text(column).flatMap { try? JSON(parsing: Array($0.utf8)) }?.array.map { .texts($0.map(\.string)) }
            }
        self = value ?? .null
    }
}
