/// The grammar of the rows' queries (PostgREST, "Tables and Views"), with a rule for each part.
enum RowGrammar {
    typealias Fault = GrammarReader.Fault

    static func columnList(_ reader: inout GrammarReader) throws(Fault) -> [String] {
        try reader.list { reader throws(Fault) in try reader.name() }
    }

    /// A parameter's key: the relations on the path, and the column.
    static func treePath(_ reader: inout GrammarReader) throws(Fault) -> (path: [String], column: String) {
        var names = [try reader.column()]
        while reader.take(".") { names.append(try reader.column()) }
        return (names.dropLast(), names[names.count - 1])
    }
}

/// Selection.
extension RowGrammar {
    static func selection(_ reader: inout GrammarReader) throws(Fault) -> [RowSelection] {
        reader.skipSpace()
        return reader.next == nil || reader.next == ")" ? [] : try reader.list(item)
    }

    private static func item(_ reader: inout GrammarReader) throws(Fault) -> RowSelection {
        if reader.take("...") { return try relation(try reader.name(), alias: nil, isSpread: true, &reader) }
        if reader.take("*") { return .everything }
        var (name, alias) = (try reader.column(), String?.none)
        if !reader.isAt("::"), reader.take(":") { (alias, name) = (name, try reader.column()) }
        if name == "count", reader.take("()") {
            _ = try cast(&reader)
            return .aggregate
        }
        if reader.next == "!" || reader.next == "(" {
            return try relation(name, alias: alias, isSpread: false, &reader)
        }
        let cast = try cast(&reader)
        guard reader.take(".") else { return .column(SelectedColumn(name, alias: alias, cast: cast)) }
        let aggregate = try reader.name()
        guard ["sum", "avg", "count", "max", "min"].contains(aggregate), reader.take("()") else {
            throw reader.fault(expecting: "an aggregate function")
        }
        _ = try Self.cast(&reader)
        return .aggregate
    }

    private static func cast(_ reader: inout GrammarReader) throws(Fault) -> String? {
        reader.take("::") ? try reader.identifier() : nil
    }

    private static func relation(
        _ target: String, alias: String?, isSpread: Bool, _ reader: inout GrammarReader
    ) throws(Fault) -> RowSelection {
        var relation = SelectedRelation(target, alias: alias, isSpread: isSpread, selection: [])
        while reader.take("!") {
            switch try reader.name() {
            case "left": relation.isInner = false
            case "inner": relation.isInner = true
            case let hint: relation.hint = hint
            }
        }
        try reader.require("(")
        relation.selection = try reader.nested(selection)
        try reader.require(")")
        return .relation(relation)
    }
}

/// Order.
extension RowGrammar {
    static func order(_ reader: inout GrammarReader) throws(Fault) -> [RowOrder] { try reader.list(term) }

    private static func term(_ reader: inout GrammarReader) throws(Fault) -> RowOrder {
        let name = try reader.column()
        var order = RowOrder(.column(name))
        if reader.take("(") {
            order.term = .related(name, try reader.column())
            try reader.require(")")
        }
        var words: [String] = []
        while reader.take(".") { words.append(try reader.identifier()) }
        if let word = words.first, word == "asc" || word == "desc" {
            order.isDescending = word == "desc"
            order.nullsFirst = order.isDescending
            words.removeFirst()
        }
        if let word = words.first, word == "nullsfirst" || word == "nullslast" {
            order.nullsFirst = word == "nullsfirst"
            words.removeFirst()
        }
        guard words.isEmpty else { throw reader.fault(expecting: "asc or desc, then nullsfirst or nullslast") }
        return order
    }
}
