/// Filters.
extension RowGrammar {
    /// How the text after an operator is read.
    private enum Place {
        /// In a parameter: everything is the value.
        case parameter
        /// In a group: the value ends at a comma or a bracket, unless it is quoted or an array.
        case group
    }

    /// A parameter's value: everything after the operator is the compared value.
    static func filterTest(_ reader: inout GrammarReader) throws(Fault) -> (isNegated: Bool, test: RowTest) {
        try test(in: .parameter, &reader)
    }

    private static func test(
        in place: Place, _ reader: inout GrammarReader
    ) throws(Fault) -> (isNegated: Bool, test: RowTest) {
        let isNegated = reader.take("not.")
        let start = reader
        let name = reader.run { ("a"..."z").contains($0) }
        let argument = try argument(&reader)
        let comparison = RowTest.Comparison(rawValue: name)
        let quantifier = argument.flatMap(RowTest.Quantifier.init(rawValue:))
        let search = RowTest.Search(rawValue: name)
        guard argument == nil || search != nil || comparison != nil && quantifier != nil, reader.take(".") else {
            throw start.fault(expecting: operatorWords)
        }
        if let comparison { return (isNegated, .compare(comparison, quantifier, value(in: place, &reader))) }
        if let search { return (isNegated, .search(search, value(in: place, &reader))) }
        guard let test = try test(name, in: place, &reader) else { throw start.fault(expecting: operatorWords) }
        return (isNegated, test)
    }

    private static let operatorWords = "an operator (eq, gt, ...)"

    /// The test of an operator that takes no brackets; `nil` for any other name.
    private static func test(
        _ name: String, in place: Place, _ reader: inout GrammarReader
    ) throws(Fault) -> RowTest? {
        switch name {
        case "in": return .among(try list(&reader))
        case "is": return .state(try state(&reader))
        case "neq": return .unequal(value(in: place, &reader))
        case "isdistinct": return .distinct(value(in: place, &reader))
        default:
            if let relation = RowTest.SetRelation(rawValue: name) {
                return .set(relation, value(in: place, &reader))
            }
            return RowTest.RangeRelation(rawValue: name).map { .range($0, value(in: place, &reader)) }
        }
    }

    /// The word in brackets after an operator: a quantifier, or the language of a search.
    private static func argument(_ reader: inout GrammarReader) throws(Fault) -> String? {
        guard reader.take("(") else { return nil }
        let word = try reader.identifier()
        try reader.require(")")
        return word
    }

    private static func state(_ reader: inout GrammarReader) throws(Fault) -> RowTest.State {
        let start = reader
        let word = reader.run { ("a"..."z").contains($0) || ("A"..."Z").contains($0) || $0 == "_" }
        guard let state = RowTest.State(rawValue: word.lowercased()) else {
            throw start.fault(expecting: "null, not_null, true, false or unknown")
        }
        return state
    }

    private static func value(in place: Place, _ reader: inout GrammarReader) -> String {
        guard case .group = place else { return reader.run { _ in true } }
        if let text = wholeQuoted(&reader) { return text }
        if let array = array(&reader) { return array }
        return reader.run(of: isInList)
    }

    /// The values between brackets; none for `()`.
    private static func list(_ reader: inout GrammarReader) throws(Fault) -> [String] {
        reader.skipSpace()
        try reader.require("(")
        reader.skipSpace()
        var values: [String] = []
        repeat { values.append(wholeQuoted(&reader) ?? reader.run(of: isInList)) } while reader.take(",")
        try reader.require(")")
        reader.skipSpace()
        return values == [""] ? [] : values
    }

    /// A quoted value after which the element ends; `nil` if there is none.
    private static func wholeQuoted(_ reader: inout GrammarReader) -> String? {
        var copy = reader
        guard let text = try? copy.quoted(), copy.next.map(isInList) != true else { return nil }
        reader = copy
        return text
    }

    private static func isInList(_ scalar: Unicode.Scalar) -> Bool { scalar != "," && scalar != ")" }

    /// An array literal without nested ones; `nil` if there is none.
    private static func array(_ reader: inout GrammarReader) -> String? {
        var copy = reader
        guard copy.take("{") else { return nil }
        let elements = copy.run { $0 != "{" && $0 != "}" }
        guard copy.take("}") else { return nil }
        reader = copy
        return "{" + elements + "}"
    }
}

/// Groups.
extension RowGrammar {
    /// The key of `and` or `or`: the relations on the path, and the operator with its `not.`.
    static func logicPath(_ reader: inout GrammarReader) throws(Fault) -> (path: [String], prefix: String) {
        var names = [try reader.name()]
        while reader.take(".") { names.append(try reader.name()) }
        let isNegated = names.contains("not")
        let name = names.removeLast()
        return (names.filter { $0 != "not" }, (isNegated ? "not." : "") + name)
    }

    /// A filter or a group. PostgREST expects `column.not.is.null`; `not.column.is.null` is also accepted.
    static func logicTree(_ reader: inout GrammarReader) throws(Fault) -> RowCondition {
        let isNegated = reader.take("not.")
        var group = reader
        if let isAll = joins(&group) {
            reader = group
            let conditions = try reader.nested { reader throws(Fault) in try reader.list(logicTree) }
            try reader.require(")")
            reader.skipSpace()
            let condition = isAll ? RowCondition.all(conditions) : .any(conditions)
            return isNegated ? .not(condition) : condition
        }
        let column = try reader.column()
        try reader.require(".")
        let (isTurned, test) = try test(in: .group, &reader)
        let filter = RowCondition.filter(RowFilter(column, isNegated: isTurned, test))
        return isNegated ? .not(filter) : filter
    }

    /// Whether the group that begins here is an `and`; `nil` if none begins.
    private static func joins(_ reader: inout GrammarReader) -> Bool? {
        let isAll = reader.take("and")
        guard isAll || reader.take("or") else { return nil }
        reader.skipSpace()
        return reader.take("(") ? isAll : nil
    }
}
