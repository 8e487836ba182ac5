package import HTTPSyntax

/// A query of a table: the parameters of `/rest/v1/{table}` as values.
package struct RowQuery: Hashable, Sendable {
    /// The parts of a query that apply to the rows of one table.
    package struct Clauses: Hashable, Sendable {
        /// The condition that rows must fulfil: always a conjunction at the top.
        package var condition = RowCondition.all([])
        /// Later terms apply if the earlier ones are equal.
        package var order: [RowOrder] = []
        /// From `limit` and `offset` only.
        package var range = RowRange()

        /// All rows, in no order.
        package init() {}
    }

    /// The columns and relations of the response.
    package var selection: [RowSelection] = [.everything]
    /// The clauses of the table itself.
    package var root = Clauses()
    /// The clauses of selected relations, by the keys that lead to them.
    package var related: [[String]: Clauses] = [:]
    /// The keys to use from a body, if given.
    package var columns: [String]?
    /// The columns that decide whether a row exists already, if given.
    package var conflictColumns: [String]?

    /// All rows with all columns.
    package init() {}
}

extension RowQuery {
    /// Longer queries are refused: reading one takes time for each character.
    package static let longestText = 64 << 10
    /// The limit of parameters; a query with more is refused.
    package static let mostParameters = 1000

    /// Reads the parameters of a request.
    ///
    /// All parameters are filters except `select`, `columns`, `on_conflict`, `order`, `limit`, `offset`, `and` and
    /// `or`.
    ///
    /// - Throws: `PGRST100`.
    package init(parsing parameters: QueryItems) throws(RowError) {
        let size = parameters.items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard size <= Self.longestText, parameters.items.count <= Self.mostParameters else {
            throw .badQuery(
                "The query is too long",
                details: "At most \(Self.longestText) bytes and \(Self.mostParameters) parameters are read.")
        }
        try readOrders(parameters.items)
        try readGroups(parameters.items)
        if let text = parameters["columns"] {
            columns = try Self.read(text, as: "columns parameter", RowGrammar.columnList)
        }
        if let text = parameters["select"] {
            selection = try Self.read(text, as: "select parameter", RowGrammar.selection)
        }
        try readFilters(parameters.items)
        if let text = parameters["on_conflict"] {
            conflictColumns = try Self.read(text, as: "on_conflict parameter", RowGrammar.columnList)
        }
        try readRanges(parameters.items)
    }

    /// The clauses at a place, created if there are none.
    private subscript(path: [String]) -> Clauses {
        get { path.isEmpty ? root : related[path] ?? Clauses() }
        set { if path.isEmpty { root = newValue } else { related[path] = newValue } }
    }

    /// Adds a condition; the conditions of one place must all hold.
    private mutating func add(_ condition: RowCondition, at path: [String]) {
        if case .all(let conditions) = self[path].condition { self[path].condition = .all(conditions + [condition]) }
    }

    /// The first of several orders of one place is used.
    private mutating func readOrders(_ parameters: [QueryItems.Item]) throws(RowError) {
        for item in parameters where Self.lastName(item.name) == "order" {
            let path = try Self.read(item.name, as: "tree path", RowGrammar.treePath).path
            let order = try Self.read(item.value, as: "order", RowGrammar.order)
            if self[path].order.isEmpty { self[path].order = order }
        }
    }

    private mutating func readGroups(_ parameters: [QueryItems.Item]) throws(RowError) {
        for item in parameters where Self.lastName(item.name) == "and" || Self.lastName(item.name) == "or" {
            let (path, prefix) = try Self.read(item.name, as: "logic path", RowGrammar.logicPath)
            add(try Self.read(prefix + item.value, as: "logic tree", named: item.value, RowGrammar.logicTree), at: path)
        }
    }

    private static let reserved = ["select", "columns", "on_conflict"]
    private static let reservedLast: [Substring] = ["order", "limit", "offset", "and", "or"]

    private mutating func readFilters(_ parameters: [QueryItems.Item]) throws(RowError) {
        for item in parameters
        where !Self.reserved.contains(item.name) && !Self.reservedLast.contains(Self.lastName(item.name)) {
            let (path, column) = try Self.read(item.name, as: "tree path", RowGrammar.treePath)
            let (isNegated, test) = try Self.read(item.value, as: "filter", RowGrammar.filterTest)
            add(.filter(RowFilter(column, isNegated: isNegated, test)), at: path)
        }
    }

    /// The last of several limits of one place is used; a value that is not a number means no limit.
    private mutating func readRanges(_ parameters: [QueryItems.Item]) throws(RowError) {
        for item in parameters {
            let name = Self.lastName(item.name)
            guard name == "limit" || name == "offset" else { continue }
            let path = try Self.read(item.name, as: "tree path", RowGrammar.treePath).path
            let number = Self.integer(item.value)
            if name == "limit" { self[path].range.limit = number } else { self[path].range.offset = number ?? 0 }
        }
    }

    /// A whole number of any length, clamped to 64 bits.
    private static func integer(_ text: String) -> Int64? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? (digits.count == text.utf8.count ? .max : .min)
    }

    private static func lastName(_ key: String) -> Substring {
        key.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    }

    private static func read<Value>(
        _ text: String, as what: String, named: String? = nil,
        _ rule: (inout GrammarReader) throws(GrammarReader.Fault) -> Value
    ) throws(RowError) -> Value {
        var reader = GrammarReader(text)
        do {
            let value = try rule(&reader)
            // PostgREST ignores what follows; this is an error here.
            try reader.requireEnd()
            return value
        } catch {
            let (line, column) = reader.position(of: error.offset)
            throw .badQuery(
                "\"failed to parse \(what) (\(named ?? text))\" (line \(line), column \(column))", details: error.words)
        }
    }
}
