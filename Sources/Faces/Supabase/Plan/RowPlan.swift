/// A query bound to a table: columns by their places, values by their types, relations by their foreign keys.
package struct RowPlan: Hashable, Sendable {
    /// A column of the response.
    struct Field: Hashable, Sendable {
        let key: String
        /// The place in the table's rows.
        let column: Int
        let cast: ColumnCast?
    }

    /// Rows of another table inside each row.
    struct Relation: Hashable, Sendable {
        let key: String
        let plan: RowPlan
        /// The place of the joined column in this table's rows, and in the other's.
        let columns: Joined
        let isToOne: Bool
        let isInner: Bool
        let isSpread: Bool
        /// Whether only the number of the rows is returned.
        let isCounted: Bool

        /// The columns whose values are equal in joined rows.
        struct Joined: Hashable, Sendable {
            let here: Int
            let there: Int
        }
    }

    /// One term of an order.
    struct Term: Hashable, Sendable {
        /// The relation whose row has the column; `nil` for this table's.
        let relation: Int?
        /// The place of the column in that table's rows.
        let column: Int
        let isDescending: Bool
        let nullsFirst: Bool
    }

    /// The table whose rows are read.
    package let table: RowTable
    let fields: [Field]
    let relations: [Relation]
    let condition: BoundCondition
    let order: [Term]
    let range: RowRange
    /// How many tests and values the condition has in a statement.
    let weight: Int
}

extension RowPlan {
    /// Binds a query to a table.
    ///
    /// - Throws: PostgREST's or PostgreSQL's error for anything that does not exist or has the wrong type.
    package init(_ query: RowQuery, of table: RowTable) throws(RowError) {
        for path in query.related.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try Self.check(path[...], in: query.selection)
        }
        try self.init(selection: query.selection, path: [], query, table)
        guard relationCount <= Self.mostRelations else { throw .tooManyRelations(most: Self.mostRelations) }
    }

    /// The relations of all levels, each of which needs a statement.
    private var relationCount: Int { relations.reduce(relations.count) { $0 + $1.plan.relationCount } }
    private static let mostRelations = 20

    /// The limit of tests and values in the plan's condition, as a statement writes it. If the condition names a
    /// relation, the relation's whole condition is written once more.
    private static let mostTests = 5000

    /// All columns of all rows of a table; everything in this plan always exists.
    static func everything(of table: RowTable) throws(RowError) -> RowPlan { try RowPlan(RowQuery(), of: table) }

    /// The IDs of the rows of a table that fulfil a condition, with their owners.
    static func identities(of table: RowTable, where condition: RowCondition = .all([])) throws(RowError) -> RowPlan {
        var query = RowQuery()
        query.selection = [.column(SelectedColumn("id"))]
        query.root.condition = condition
        return try RowPlan(query, of: table)
    }

    /// - Throws: `PGRST108` if the path leads to nothing that is selected.
    private static func check(_ path: ArraySlice<String>, in selection: [RowSelection]) throws(RowError) {
        guard let name = path.first else { return }
        for case .relation(let relation) in selection where relation.key == name || relation.target == name {
            return try check(path.dropFirst(), in: relation.selection)
        }
        throw .notSelected(name)
    }

    private init(
        selection: [RowSelection], path: [SelectedRelation], _ query: RowQuery, _ table: RowTable
    ) throws(RowError) {
        self.table = table
        var fields: [Field] = []
        var relations: [Relation] = []
        for item in selection {
            switch item {
            case .everything: fields += try Self.allFields(of: table)
            case .column(let column): fields.append(try Field(column, of: table))
            case .aggregate: throw .aggregate
            case .relation(let relation):
                relations.append(try Self.relation(relation, path: path + [relation], query, from: table))
            }
        }
        if selection.isEmpty && path.isEmpty { fields = try Self.allFields(of: table) }
        guard fields.count + relations.count <= Self.mostColumns else { throw .tooManyColumns(most: Self.mostColumns) }
        self.fields = fields
        self.relations = relations
        let clauses = try Self.clauses(at: path, in: query)
        condition = try BoundCondition(clauses.condition, of: table, relations: relations.map(\.key))
        guard clauses.order.count <= Self.mostTerms else { throw .tooManyTerms(most: Self.mostTerms) }
        var order: [Term] = []
        for term in clauses.order { order.append(try Self.term(term, of: table, relations)) }
        self.order = order
        weight =
            relations.reduce(condition.weight(relations)) { $0 + ($1.isInner ? $1.plan.weight : 0) }
            + order.compactMap(\.relation).reduce(0) { $0 + relations[$1].plan.weight }
        guard weight <= Self.mostTests else { throw .tooManyTests(most: Self.mostTests) }
        range = path.isEmpty ? RowRange() : try clauses.range.resolved(header: nil, maximum: nil)
    }

    /// The most columns and relations of a row; the largest table has a seventh of them.
    private static let mostColumns = 100
    private static let mostTerms = 10

    /// The clauses at a place; relations may be named by their key or by their target.
    ///
    /// - Throws: `PGRST100` if the place is named in two ways.
    private static func clauses(at path: [SelectedRelation], in query: RowQuery) throws(RowError) -> RowQuery.Clauses {
        if path.isEmpty { return query.root }
        let found = query.related.filter { names, _ in
            names.count == path.count && zip(names, path).allSatisfy { $0 == $1.key || $0 == $1.target }
        }
        guard found.count <= 1 else {
            let name = path.map(\.key).joined(separator: ".")
            throw .badQuery(
                "The relation \"\(name)\" is named in two ways", details: "Name it by its alias alone.")
        }
        return found.first?.value ?? RowQuery.Clauses()
    }

    private static func allFields(of table: RowTable) throws(RowError) -> [Field] {
        var fields: [Field] = []
        for column in table.columns { fields.append(try Field(SelectedColumn(column.name), of: table)) }
        return fields
    }

    private static func term(
        _ order: RowOrder, of table: RowTable, _ relations: [Relation]
    ) throws(RowError) -> Term {
        switch order.term {
        case .column(let path):
            return Term(
                relation: nil, column: try table.sortable(path), isDescending: order.isDescending,
                nullsFirst: order.nullsFirst)
        case .related(let name, let path):
            guard let index = relations.firstIndex(where: { $0.key == name }) else { throw .notSelected(name) }
            guard relations[index].isToOne else { throw .orderByMany(table.name, name) }
            return Term(
                relation: index, column: try relations[index].plan.table.sortable(path),
                isDescending: order.isDescending, nullsFirst: order.nullsFirst)
        }
    }
}

extension RowTable {
    /// The place of a column that rows can be ordered by.
    fileprivate func sortable(_ column: String) throws(RowError) -> Int {
        let place = try place(of: column)
        guard columns[place].type != .texts else { throw .notBuilt("Rows are not ordered by arrays.") }
        return place
    }
}

extension RowPlan.Field {
    fileprivate init(_ selected: SelectedColumn, of table: RowTable) throws(RowError) {
        let place = try table.place(of: selected.column)
        column = place
        cast = try selected.cast.map { name throws(RowError) in
            try ColumnCast(from: table.columns[place].type, to: name)
        }
        key = selected.alias ?? selected.column
    }
}

/// Relations along foreign keys.
extension RowPlan {
    private static func relation(
        _ selected: SelectedRelation, path: [SelectedRelation], _ query: RowQuery, from table: RowTable
    ) throws(RowError) -> Relation {
        let found = ways(from: table).filter { way in
            let names = [way.target.name, way.key.name] + (way.isToOne ? [way.key.column] : [])
            let hints = [way.key.name, way.key.column, "id"]
            return names.contains(selected.target) && selected.hint.map(hints.contains) != false
        }
        guard let way = found.first else {
            throw .noRelation(from: table.name, to: selected.target, hint: selected.hint)
        }
        guard !selected.isSpread || way.isToOne else {
            throw .notBuilt("Spreading a relation to many rows is not built.")
        }
        let isCounted = !way.isToOne && selected.selection == [.column(SelectedColumn("count"))]
        let plan = try RowPlan(selection: isCounted ? [] : selected.selection, path: path, query, way.target)
        let column = way.key.column
        let columns =
            way.isToOne
            ? Relation.Joined(here: try table.place(of: column), there: 0)
            : Relation.Joined(here: 0, there: try way.target.place(of: column))
        return Relation(
            key: selected.key, plan: plan, columns: columns, isToOne: way.isToOne, isInner: selected.isInner,
            isSpread: selected.isSpread, isCounted: isCounted)
    }

    /// A foreign key that starts or ends at a table.
    private struct Way {
        let key: RowTable.ForeignKey
        let target: RowTable
        let isToOne: Bool
    }

    private static func ways(from table: RowTable) -> [Way] {
        let outward = table.foreignKeys.compactMap { key in
            RowTable.all.first { $0.name == key.target }.map { Way(key: key, target: $0, isToOne: true) }
        }
        let inward = RowTable.all.flatMap { other in
            other.foreignKeys.filter { $0.target == table.name }.map { Way(key: $0, target: other, isToOne: false) }
        }
        return outward + inward
    }
}
