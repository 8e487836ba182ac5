internal import Database
internal import Media
internal import People

/// Writes plans as SQL over the views of rows, restricted to a caller's reach.
///
/// Names in a statement come from `RowTable`; everything that a client sends is a bound value.
struct RowStatements {
    let dialect: SQLDialect
    let reach: Reach

    /// The rows of a table that a statement is about.
    struct Scope {
        let plan: RowPlan
        /// In addition to the plan's condition.
        let condition: SQLText
        /// Whether the statement names the rows, or the rows that they belong to, one by one.
        let namesRows: Bool

        /// The rows of the plan, restricted in each given column to the given values.
        init(_ plan: RowPlan, where values: [Int: [RowValue]] = [:]) {
            self.plan = plan
            let conditions = values.sorted { $0.key < $1.key }.map { column, values -> SQLText in
                "t0.\(name: plan.table.columns[column].name) IN (\(RowStatements.list(values)))"
            }
            condition = .joined(conditions, as: .and)
            namesRows = plan.namesRows || values.keys.contains(where: plan.table.isIdentity)
        }
    }

    /// The rows of a scope in the plan's order: the owner, the file, then the columns.
    ///
    /// - Parameter columns: the places of the columns in the table.
    func rows(_ scope: Scope, columns: [Int], range: RowRange) -> SQLText {
        """
        SELECT \(selection(scope.plan, columns)) \(source(scope)) ORDER BY \(order(scope.plan)) \
        LIMIT \(value: range.limit ?? .max) OFFSET \(value: range.offset)
        """
    }

    /// As `rows`, but the plan's range applies to each group of rows with one value in a column.
    func rows(_ scope: Scope, columns: [Int], inGroupsBy column: Int, limit: Int) -> SQLText {
        let (plan, range) = (scope.plan, scope.plan.range)
        guard range != RowRange() else {
            return rows(scope, columns: columns, range: RowRange(offset: 0, limit: Int64(limit)))
        }
        let end = range.limit.map { range.offset.addingReportingOverflow($0) }.flatMap {
            $0.overflow ? nil : $0.partialValue
        }
        let group: SQLText = "t0.\(name: plan.table.columns[column].name)"
        return """
            SELECT \(selection(plan, columns)) FROM (
                SELECT t0.*, row_number() OVER (PARTITION BY \(group) ORDER BY \(order(plan))) AS place \(source(scope))
            ) AS t0 WHERE place > \(value: range.offset) AND place <= \(value: end ?? .max) ORDER BY place LIMIT \(value: limit)
            """
    }

    /// The number of the rows of a scope.
    func count(_ scope: Scope) -> SQLText { "SELECT count(*) \(source(scope))" }

    /// The number of the rows of a scope for each value of a column: the value, then the number.
    func counts(_ scope: Scope, inGroupsBy column: Int) -> SQLText {
        let group: SQLText = "t0.\(name: scope.plan.table.columns[column].name)"
        return "SELECT \(group), count(*) \(source(scope)) GROUP BY \(group)"
    }

    private func selection(_ plan: RowPlan, _ columns: [Int]) -> SQLText {
        let file: SQLText = plan.table.fileColumn == nil ? "NULL" : "t0.object_id"
        let columns = columns.map { place -> SQLText in
            let column = plan.table.columns[place]
            return switch (column.type, dialect) {
            case (.texts, .postgreSQL): "array_to_json(t0.\(name: column.name))"
            default: "t0.\(name: column.name)"
            }
        }
        return .joined(["t0.user_id", file] + columns, by: ", ")
    }

    private func source(_ scope: Scope) -> SQLText {
        """
        FROM \(name: scope.plan.table.view) AS t0 \
        WHERE \(condition(of: scope.plan, level: 0, namesRows: scope.namesRows)) AND \(scope.condition)
        """
    }
}

/// Conditions. Nested tables are `t1`, `t2` and so on.
extension RowStatements {
    /// What a row must fulfil: the caller's reach, the plan's condition, and the inner relations.
    private func condition(of plan: RowPlan, level: Int, namesRows: Bool) -> SQLText {
        let inner = plan.relations.indices.filter { plan.relations[$0].isInner }
            .map { hasRows(plan.relations[$0], of: plan, level) }
        let reach = isWithinReach(level, namesRows: namesRows)
        return .joined([reach, condition(plan.condition, of: plan, level)] + inner, as: .and)
    }

    /// Without statistics, SQLite takes a dozen named rows for more than all rows of a person, and reads the latter.
    /// The plus keeps it from their index.
    private func isWithinReach(_ level: Int, namesRows: Bool) -> SQLText {
        let unindexed = namesRows && dialect == .sqlite ? "+" : ""
        return switch reach {
        case .nobody: "FALSE"
        case .person(let person): "\(name: unindexed)t\(name: "\(level)").user_id = \(value: person.text)"
        case .everybody: "TRUE"
        }
    }

    private func condition(_ condition: BoundCondition, of plan: RowPlan, _ level: Int) -> SQLText {
        switch condition {
        case .test(let place, let test): self.test(test, of: column(place, of: plan, level))
        case .related(let index, let exists):
            exists
                ? hasRows(plan.relations[index], of: plan, level)
                : "NOT \(hasRows(plan.relations[index], of: plan, level))"
        case .all(let conditions): .joined(conditions.map { self.condition($0, of: plan, level) }, as: .and)
        case .any(let conditions): .joined(conditions.map { self.condition($0, of: plan, level) }, as: .or)
        case .not(let condition): "NOT (\(self.condition(condition, of: plan, level)))"
        }
    }

    private func hasRows(_ relation: RowPlan.Relation, of plan: RowPlan, _ level: Int) -> SQLText {
        "EXISTS (SELECT 1 \(related(relation, of: plan, level)))"
    }

    /// The rows that belong to a row of the level above.
    private func related(_ relation: RowPlan.Relation, of plan: RowPlan, _ level: Int) -> SQLText {
        let there = column(relation.columns.there, of: relation.plan, level + 1)
        return """
            FROM \(name: relation.plan.table.view) AS t\(name: "\(level + 1)") \
            WHERE \(there) = \(column(relation.columns.here, of: plan, level)) \
            AND \(condition(of: relation.plan, level: level + 1, namesRows: false))
            """
    }

    private func column(_ place: Int, of plan: RowPlan, _ level: Int) -> SQLText {
        "t\(name: "\(level)").\(name: plan.table.columns[place].name)"
    }

    private func test(_ test: BoundTest, of column: SQLText) -> SQLText {
        switch test {
        case .relation(let relation, let value):
            "\(column) \(name: relation.rawValue) \(value: Self.bound(value))"
        case .like(let pattern): like(pattern, column)
        // False, and not unknown.
        case .among(let values) where values.isEmpty: "FALSE"
        case .among(let values): "\(column) IN (\(Self.list(values)))"
        case .set(let relation, let texts): set(relation, column, texts)
        case .state(.null), .state(.unknown): "\(column) IS NULL"
        case .state(.notNull): "\(column) IS NOT NULL"
        case .state(.true): "\(column) IS TRUE"
        case .state(.false): "\(column) IS FALSE"
        }
    }

    private func like(_ pattern: LikePattern, _ column: SQLText) -> SQLText {
        switch (dialect, pattern.ignoresCase) {
        case (.sqlite, false): "\(column) GLOB \(value: pattern.glob)"
        case (.sqlite, true): "unicode_lower(\(column)) GLOB \(value: pattern.glob)"
        case (.postgreSQL, false): "\(column) LIKE \(value: pattern.text)"
        // The views' own collation folds the case of ASCII only, and this one has a separate letter for the end of
        // Greek words.
        case (.postgreSQL, true):
            "translate(lower(\(column) COLLATE \"und-x-icu\"), 'ς', 'σ') LIKE \(value: pattern.text)"
        }
    }

    /// A relation of two arrays. Null equals nothing.
    private func set(_ relation: RowTest.SetRelation, _ column: SQLText, _ texts: [String?]) -> SQLText {
        guard dialect == .sqlite else {
            let operators: [RowTest.SetRelation: String] = [.contains: "@>", .isContained: "<@", .overlaps: "&&"]
            return "\(column) \(name: operators[relation]!) CAST(\(value: ArrayLiteral.text(of: texts)) AS text[])"
        }
        let other: SQLText = "SELECT value FROM json_each(\(value: RowValue.texts(texts).json.text))"
        return switch relation {
        case .contains:
            """
            NOT EXISTS (SELECT 1 FROM (\(other)) AS wanted
                WHERE wanted.value IS NULL OR wanted.value NOT IN (SELECT value FROM json_each(\(column))))
            """
        case .isContained:
            """
            NOT EXISTS (SELECT 1 FROM json_each(\(column)) AS own
                WHERE own.value NOT IN (\(other) WHERE value IS NOT NULL))
            """
        case .overlaps: "EXISTS (SELECT 1 FROM json_each(\(column)) AS own WHERE own.value IN (\(other)))"
        }
    }

    private static func list(_ values: [RowValue]) -> SQLText {
        .joined(values.map { "\(value: bound($0))" }, by: ", ")
    }

    /// The value in the database's form; arrays are never bound as values.
    private static func bound(_ value: RowValue) -> SQLValue? {
        switch value {
        case .null, .texts: nil
        case .text(let text), .uuid(let text): .text(text)
        case .integer(let number): .integer(number)
        case .boolean(let truth): .boolean(truth)
        case .timestamp(let moment): .integer(moment.microseconds)
        }
    }
}

/// Order.
extension RowStatements {
    /// Rows with equal terms are ordered by their primary key, in the last term's direction: an index has that order
    /// too.
    private func order(_ plan: RowPlan) -> SQLText {
        let terms = plan.order.map { term(_: $0, of: plan) }
        if plan.order.contains(where: { $0.relation == nil && $0.column == 0 }) { return .joined(terms, by: ", ") }
        return .joined(terms + [plan.order.last?.isDescending == true ? "t0.id DESC" : "t0.id"], by: ", ")
    }

    private func term(_ term: RowPlan.Term, of plan: RowPlan) -> SQLText {
        let value: SQLText
        let isNullable: Bool
        if let index = term.relation {
            let relation = plan.relations[index]
            let column = column(term.column, of: relation.plan, 1)
            value = "(SELECT \(column) \(related(relation, of: plan, 0)) LIMIT 1)"
            isNullable = true
        } else {
            value = column(term.column, of: plan, 0)
            isNullable = plan.table.columns[term.column].isNullable
        }
        // Without nulls an index has either order.
        let nulls = isNullable ? term.nullsFirst ? " NULLS FIRST" : " NULLS LAST" : ""
        return "\(value)\(name: term.isDescending ? " DESC" : "")\(name: nulls)"
    }
}

extension RowPlan {
    /// Whether every row of the plan is one of some rows that its condition names.
    fileprivate var namesRows: Bool { condition.names { table.isIdentity($0) } }
}

extension RowTable {
    /// Whether few rows have one value of a column: it is the row's primary key, or the foreign key of its document.
    fileprivate func isIdentity(_ column: Int) -> Bool {
        column == 0 || foreignKeys.contains { $0.target == "documents" && $0.column == columns[column].name }
    }
}

extension BoundCondition {
    /// Whether it requires one of some values in a column that `isIdentity`.
    fileprivate func names(_ isIdentity: (Int) -> Bool) -> Bool {
        switch self {
        case .test(let column, .relation(.equal, _)), .test(let column, .among): isIdentity(column)
        case .all(let conditions): conditions.contains { $0.names(isIdentity) }
        case .any(let conditions): !conditions.isEmpty && conditions.allSatisfy { $0.names(isIdentity) }
        default: false
        }
    }
}
