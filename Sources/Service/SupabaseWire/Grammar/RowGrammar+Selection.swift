/// Selection and order.
extension RowGrammar {
    static func selection(_ reader: inout GrammarReader) throws -> [RowSelection] {
        try reader.optional { reader in
            try reader.list(of: item, separator: spacedComma)
        } ?? []
    }

    private static func item(_ reader: inout GrammarReader) throws -> RowSelection {
        try reader.first(of: [
            { reader in try relation(try reader.attempt(spreadHead), &reader) },
            { reader in try relation(try reader.attempt(relationHead), &reader) },
            { reader in try selectedField(&reader) },
        ])
    }

    private static func relation(
        _ head: SelectedRelation, _ reader: inout GrammarReader
    ) throws -> RowSelection {
        var relation = head
        try reader.character("(")
        relation.selection = try reader.nested(selection)
        try reader.character(")")
        return .relation(relation)
    }

    private static func spreadHead(_ reader: inout GrammarReader) throws -> SelectedRelation {
        try reader.spaced { reader in
            try reader.string("...")
            return try relationHead(alias: nil, isSpread: true, &reader)
        }
    }

    private static func relationHead(_ reader: inout GrammarReader) throws -> SelectedRelation {
        try reader.spaced { reader in
            try relationHead(alias: try alias(&reader), isSpread: false, &reader)
        }
    }

    private static func relationHead(
        alias: String?, isSpread: Bool, _ reader: inout GrammarReader
    ) throws -> SelectedRelation {
        let target = try fieldName(&reader)
        // So that `count()` is read as what it is.
        if !isSpread && target == "count" { try reader.refuse() }
        let parameters = [try reader.optional(embedParameter), try reader.optional(embedParameter)].compactMap(\.self)
        try nextIs("(")(&reader)
        return SelectedRelation(
            target, alias: alias, hint: parameters.lazy.compactMap(\.hint).first,
            isInner: parameters.lazy.compactMap(\.isInner).first ?? false, isSpread: isSpread, selection: [])
    }

    private static func embedParameter(
        _ reader: inout GrammarReader
    ) throws -> (hint: String?, isInner: Bool?) {
        try reader.character("!")
        return try reader.first(of: [
            word("left", (nil, false)), word("inner", (nil, true)),
            { reader in (try reader.attempt(fieldName), nil) },
        ])
    }

    private static func alias(_ reader: inout GrammarReader) throws -> String? {
        try reader.optional { reader in
            try reader.attempt { reader in
                let name = try fieldName(&reader)
                try reader.character(":")
                try reader.notFollowed { $0 == ":" }
                return name
            }
        }
    }

    private static func selectedField(_ reader: inout GrammarReader) throws -> RowSelection {
        try reader.spaced { reader in
            try reader.first(of: [
                { reader in
                    try reader.attempt { reader in
                        try reader.string("*")
                        try itemEnd(&reader)
                    }
                    return .everything
                },
                { reader in
                    try reader.attempt { reader in
                        _ = try alias(&reader)
                        try reader.string("count()")
                        _ = try reader.optional(cast)
                        try itemEnd(&reader)
                    }
                    return .aggregate
                },
                { reader in try columnItem(&reader) },
            ])
        }
    }

    private static func columnItem(_ reader: inout GrammarReader) throws -> RowSelection {
        let alias = try alias(&reader)
        let column = try column(&reader)
        let cast = try reader.optional(cast)
        let aggregate: Void? = try reader.optional { reader in
            try reader.attempt { reader in
                try reader.character(".")
                try aggregateName(&reader)
                try reader.string("()")
            }
        }
        _ = try reader.optional(Self.cast)
        try itemEnd(&reader)
        return aggregate == nil ? .column(SelectedColumn(column, alias: alias, cast: cast)) : .aggregate
    }

    private static func aggregateName(_ reader: inout GrammarReader) throws {
        try reader.first(of: [
            { reader in try reader.string("sum") },
            { reader in try reader.string("avg") },
            { reader in try reader.string("count") },
            word("max", ()), word("min", ()),
        ])
    }

    private static func cast(_ reader: inout GrammarReader) throws -> String {
        try reader.string("::")
        return try identifier(&reader)
    }

    private static func itemEnd(_ reader: inout GrammarReader) throws {
        try reader.first(of: [nextIs(")"), nextIs(","), { reader in try reader.end() }])
    }
}

/// Order.
extension RowGrammar {
    static func order(_ reader: inout GrammarReader) throws -> [RowOrder] {
        try reader.list(
            of: { reader in
                try reader.spaced { reader in
                    try reader.either(
                        { reader in try reader.attempt(relatedOrder) }, or: columnOrder)
                }
            }, separator: comma)
    }

    private static func columnOrder(_ reader: inout GrammarReader) throws -> RowOrder {
        try order(by: .column(try column(&reader)), &reader)
    }

    private static func relatedOrder(_ reader: inout GrammarReader) throws -> RowOrder {
        let relation = try fieldName(&reader)
        try reader.character("(")
        let column = try column(&reader)
        try reader.character(")")
        return try order(by: .related(relation, column), &reader)
    }

    private static func order(by term: RowOrder.Term, _ reader: inout GrammarReader) throws -> RowOrder {
        let isDescending = try choice([("asc", false), ("desc", true)], &reader)
        let nullsFirst = try choice([("nullsfirst", true), ("nullslast", false)], &reader)
        try reader.either(
            nextIs(","),
            or: { reader in try reader.end() })
        return RowOrder(term, isDescending: isDescending ?? false, nullsFirst: nullsFirst)
    }

    /// A delimiter and one of the words, if there is one.
    private static func choice(
        _ words: [(String, Bool)], _ reader: inout GrammarReader
    ) throws -> Bool? {
        try reader.optional { reader in
            try reader.first(
                of: words.map { word, value in
                    { reader in
                        try reader.attempt { reader in
                            try delimiter(&reader)
                            try reader.string(word)
                        }
                        return value
                    }
                })
        }
    }
}
