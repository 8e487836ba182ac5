/// Filters.
extension RowGrammar {
    /// A parameter's value: everything behind the operator is the compared value.
    static func filterTest(_ reader: inout GrammarReader) throws -> (isNegated: Bool, test: RowTest) {
        try test(value: { reader in reader.run { _ in true } }, &reader)
    }

    private static func test(
        value: @escaping Rule<String>, _ reader: inout GrammarReader
    ) throws -> (isNegated: Bool, test: RowTest) {
        let isNegated = try reader.either(negation, or: { _ in false })
        return (isNegated, try operation(value: value, &reader))
    }

    private static func negation(_ reader: inout GrammarReader) throws -> Bool {
        try reader.attempt { reader in
            try reader.string("not")
            try delimiter(&reader)
        }
        return true
    }

    private static func operation(
        value: @escaping Rule<String>, _ reader: inout GrammarReader
    ) throws -> RowTest {
        let rules: [Rule<RowTest>] = [
            { reader in try among(&reader) },
            { reader in try state(&reader) },
            { reader in
                try attemptOperator("isdistinct", &reader)
                return .distinct(try value(&reader))
            },
            { reader in
                try reader.attempt { reader in try search(value: value, &reader) }
            },
            { reader in
                try reader.attempt { reader in try relation(value: value, &reader) }
            },
            { reader in
                try reader.attempt { reader in try comparison(value: value, &reader) }
            },
        ]
        return try reader.labelled("operator (eq, gt, ...)") { reader in
            try reader.first(of: rules)
        }
    }

    private static func among(_ reader: inout GrammarReader) throws -> RowTest {
        try attemptOperator("in", &reader)
        return .among(try list(&reader))
    }

    private static func state(_ reader: inout GrammarReader) throws -> RowTest {
        try attemptOperator("is", &reader)
        return try reader.labelled("isVal: (null, not_null, true, false, unknown)") { reader in
            try reader.first(of: RowTest.State.allCases.map { ofAnyCase($0) })
        }
    }

    /// A rule for the state's word in capitals or not.
    private static func ofAnyCase(_ state: RowTest.State) -> Rule<RowTest> {
        { reader in
            try reader.attempt { reader in
                for scalar in state.rawValue.unicodeScalars {
                    let capital = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
                    let words = [HaskellText.quoted(scalar), HaskellText.quoted(capital)]
                    _ = try reader.scalar(expecting: words) { $0 == scalar || $0 == capital }
                }
            }
            return .state(state)
        }
    }

    private static func attemptOperator(_ name: String, _ reader: inout GrammarReader) throws {
        try reader.attempt { reader in
            try reader.string(name)
            try delimiter(&reader)
        }
    }

    private static func search(value: Rule<String>, _ reader: inout GrammarReader) throws -> RowTest {
        let search = try reader.first(of: RowTest.Search.allCases.map { word($0.rawValue, $0) })
        _ = try reader.optional { reader in
            try reader.attempt { reader in
                try reader.character("(")
                _ = try identifier(&reader)
                try reader.character(")")
            }
        }
        try delimiter(&reader)
        return .search(search, try value(&reader))
    }

    private static let relations: [(name: String, make: @Sendable (String) -> RowTest)] = {
        var relations: [(name: String, make: @Sendable (String) -> RowTest)] = [("neq", { .unequal($0) })]
        for relation in RowTest.SetRelation.allCases { relations.append((relation.rawValue, { .set(relation, $0) })) }
        for relation in RowTest.RangeRelation.allCases {
            relations.append((relation.rawValue, { .range(relation, $0) }))
        }
        return relations
    }()

    private static func relation(value: Rule<String>, _ reader: inout GrammarReader) throws -> RowTest {
        let make = try reader.labelled("unknown single value operator") { reader in
            try reader.first(of: relations.map { word($0.name, $0.make) })
        }
        try delimiter(&reader)
        return make(try value(&reader))
    }

    private static func comparison(
        value: Rule<String>, _ reader: inout GrammarReader
    ) throws -> RowTest {
        let comparison = try reader.labelled("unknown single value operator") { reader in
            try reader.first(of: RowTest.Comparison.allCases.map { word($0.rawValue, $0) })
        }
        let quantifier = try reader.optional { reader in
            try reader.attempt { reader in
                try reader.character("(")
                let quantifier = try reader.first(of: RowTest.Quantifier.allCases.map { word($0.rawValue, $0) })
                try reader.character(")")
                return quantifier
            }
        }
        try delimiter(&reader)
        return .compare(comparison, quantifier, try value(&reader))
    }
}

/// Values in lists, and filters in `and` and `or`.
extension RowGrammar {
    /// The values between brackets; none for `()`.
    private static func list(_ reader: inout GrammarReader) throws -> [String] {
        try reader.spaced(character("("))
        let values = try reader.list(of: listElement, separator: comma)
        try reader.spaced(character(")"))
        return values == [""] ? [] : values
    }

    private static func listElement(_ reader: inout GrammarReader) throws -> String {
        try reader.either(wholeQuotedValue, or: { reader in reader.run(of: isInList) })
    }

    /// A quoted value behind which the element ends.
    private static func wholeQuotedValue(_ reader: inout GrammarReader) throws -> String {
        try reader.attempt { reader in
            let value = try quotedValue(&reader)
            try reader.notFollowed(by: isInList)
            return value
        }
    }

    private static func isInList(_ scalar: Unicode.Scalar) -> Bool { scalar != "," && scalar != ")" }

    private static func logicValue(_ reader: inout GrammarReader) throws -> String {
        try reader.first(of: [
            { reader in try wholeQuotedValue(&reader) },
            { reader in try reader.attempt(array) },
            { reader in reader.run(of: isInList) },
        ])
    }

    private static func array(_ reader: inout GrammarReader) throws -> String {
        try reader.string("{")
        let elements = reader.run { $0 != "{" && $0 != "}" }
        try reader.string("}")
        return "{" + elements + "}"
    }

    /// The key of `and` or `or`: the relations on the way, and the operator with its `not.`.
    static func logicPath(_ reader: inout GrammarReader) throws -> (path: [String], prefix: String) {
        var names = try reader.list(of: fieldName, separator: delimiter)
        let isNegated = names.contains("not")
        let name = names.removeLast()
        return (names.filter { $0 != "not" }, (isNegated ? "not." : "") + name)
    }

    static func logicTree(_ reader: inout GrammarReader) throws -> RowCondition {
        // PostgREST wants `column.not.is.null`; we also take `not.column.is.null`, and tell nothing of the try.
        var copy = reader
        if let condition = try? negatedFilter(&copy) {
            reader = copy
            return condition
        }
        return try reader.either({ reader in try reader.attempt(logicFilter) }, or: logicGroup)
    }

    private static func negatedFilter(_ reader: inout GrammarReader) throws -> RowCondition {
        try reader.spaced { reader in _ = try negation(&reader) }
        return .not(try logicFilter(&reader))
    }

    private static func logicFilter(_ reader: inout GrammarReader) throws -> RowCondition {
        let column = try column(&reader)
        try delimiter(&reader)
        let (isNegated, test) = try test(value: logicValue, &reader)
        return .filter(RowFilter(column, isNegated: isNegated, test))
    }

    private static func logicGroup(_ reader: inout GrammarReader) throws -> RowCondition {
        let isNegated = try reader.labelled("negation operator (not)") { reader in
            try reader.either(negation, or: { _ in false })
        }
        let isAll = try reader.labelled("logic operator (and, or)") { reader in
            try reader.either(
                word("and", true),
                or: { reader in
                    try reader.string("or")
                    return false
                })
        }
        try reader.spaced(character("("))
        let conditions = try reader.nested { reader in
            try reader.list(of: logicTree, separator: spacedComma)
        }
        try reader.spaced(character(")"))
        let group = isAll ? RowCondition.all(conditions) : .any(conditions)
        return isNegated ? .not(group) : group
    }
}
