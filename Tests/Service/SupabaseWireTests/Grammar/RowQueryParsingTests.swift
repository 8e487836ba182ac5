import HTTPSyntax
import SupabaseWire
import TestDeadline
import Testing

/// Selection, order, ranges and reserved parameters as values.
@Suite(.deadline) struct RowQueryParsingTests {
    private static func query(_ text: String) throws -> RowQuery {
        try RowQuery(parsing: #require(QueryItems(text)))
    }

    private static func column(_ name: String, alias: String? = nil, cast: String? = nil) -> RowSelection {
        .column(SelectedColumn(ColumnPath(name), alias: alias, cast: cast))
    }

    @Test(
        "A selection becomes its items",
        arguments: [
            ("*", [.everything]), ("", []), ("id", [column("id")]), ("id,title", [column("id"), column("title")]),
            ("id, title", [column("id"), column("title")]), ("a:id", [column("id", alias: "a")]),
            ("id::text", [column("id", cast: "text")]), ("a:id::text", [column("id", alias: "a", cast: "text")]),
            ("%22a b%22:id", [column("id", alias: "a b")]), ("*,id", [.everything, column("id")]),
            ("count()", [.aggregate]), ("id.count()", [.aggregate]), ("version.sum()", [.aggregate]),
            ("n:version.max()::text", [.aggregate]), ("version.min()", [.aggregate]), ("version.avg()", [.aggregate]),
            ("count", [column("count")]),
            ("schools(*)", [.relation(SelectedRelation("schools", selection: [.everything]))]),
            ("schools()", [.relation(SelectedRelation("schools", selection: []))]),
            (
                "*,s:schools!inner(id,name)",
                [
                    .everything,
                    .relation(
                        SelectedRelation(
                            "schools", alias: "s", isInner: true, selection: [column("id"), column("name")])),
                ]
            ),
            (
                "schools!school_id(*)",
                [.relation(SelectedRelation("schools", hint: "school_id", selection: [.everything]))]
            ),
            (
                "schools!left!school_id(*)",
                [.relation(SelectedRelation("schools", hint: "school_id", selection: [.everything]))]
            ),
            (
                "schools!school_id!inner(*)",
                [.relation(SelectedRelation("schools", hint: "school_id", isInner: true, selection: [.everything]))]
            ),
            (
                "id,...schools(name)",
                [column("id"), .relation(SelectedRelation("schools", isSpread: true, selection: [column("name")]))]
            ),
            (
                "document_shares(*,schools(name))",
                [
                    .relation(
                        SelectedRelation(
                            "document_shares",
                            selection: [
                                .everything, .relation(SelectedRelation("schools", selection: [column("name")])),
                            ]))
                ]
            ),
            (
                "data->>a",
                [.column(SelectedColumn(ColumnPath("data", steps: [.init(part: .key("a"), isText: true)])))]
            ),
            (
                "data->0::text",
                [
                    .column(
                        SelectedColumn(
                            ColumnPath("data", steps: [.init(part: .index("+0"), isText: false)]), cast: "text"))
                ]
            ),
        ] as [(String, [RowSelection])])
    func selections(text: String, items: [RowSelection]) throws {
        #expect(try Self.query("select=\(text)").selection == items)
    }

    @Test("Without select, all columns are selected")
    func noSelection() throws {
        #expect(try Self.query("").selection == [.everything])
        #expect(try Self.query("select").selection == [])
        #expect(try Self.query("id=eq.1").selection == [.everything])
    }

    @Test(
        "An order becomes its terms, with PostgreSQL's places for nulls",
        arguments: [
            ("a", [RowOrder(.column(ColumnPath("a")), isDescending: false, nullsFirst: false)]),
            ("a.asc", [RowOrder(.column(ColumnPath("a")), isDescending: false, nullsFirst: false)]),
            ("a.desc", [RowOrder(.column(ColumnPath("a")), isDescending: true, nullsFirst: true)]),
            ("a.desc.nullslast", [RowOrder(.column(ColumnPath("a")), isDescending: true, nullsFirst: false)]),
            ("a.asc.nullsfirst", [RowOrder(.column(ColumnPath("a")), isDescending: false, nullsFirst: true)]),
            ("a.nullsfirst", [RowOrder(.column(ColumnPath("a")), isDescending: false, nullsFirst: true)]),
            ("a.nullslast", [RowOrder(.column(ColumnPath("a")), isDescending: false, nullsFirst: false)]),
            (
                "a.desc.nullslast,b",
                [
                    RowOrder(.column(ColumnPath("a")), isDescending: true, nullsFirst: false),
                    RowOrder(.column(ColumnPath("b"))),
                ]
            ),
            ("a, b", [RowOrder(.column(ColumnPath("a"))), RowOrder(.column(ColumnPath("b")))]),
            ("schools(name).desc", [RowOrder(.related("schools", ColumnPath("name")), isDescending: true)]),
            (
                "name,schools(name),id",
                [
                    RowOrder(.column(ColumnPath("name"))), RowOrder(.related("schools", ColumnPath("name"))),
                    RowOrder(.column(ColumnPath("id"))),
                ]
            ),
        ])
    func orders(text: String, terms: [RowOrder]) throws {
        #expect(try Self.query("order=\(text)").root.order == terms)
    }

    @Test("Of several orders the first counts, of several limits the last")
    func repeated() throws {
        let query = try Self.query("order=a&order=b&limit=1&limit=2&offset=3&offset=4&select=a&select=b")
        #expect(query.root.order == [RowOrder(.column(ColumnPath("a")))])
        #expect(query.root.range == RowRange(offset: 4, limit: 2))
        #expect(query.selection == [Self.column("a")])
    }

    @Test("Columns and conflict columns may be quoted")
    func columns() throws {
        let query = try Self.query("columns=%22a%22,%22b%20c%22,d&on_conflict=id,%22e%22")
        #expect(query.columns == ["a", "b c", "d"])
        #expect(query.conflictColumns == ["id", "e"])
        #expect(try Self.query("").columns == nil)
    }

    @Test(
        "A fault is told in PostgREST's words",
        arguments: [
            (
                "id=0", "\"failed to parse filter (0)\" (line 1, column 1)",
                #"unexpected "0" expecting "not" or operator (eq, gt, ...)"#
            ),
            (
                "id=noop.0", "\"failed to parse filter (noop.0)\" (line 1, column 1)",
                #"unexpected "o" expecting "not" or operator (eq, gt, ...)"#
            ),
            (
                "id=val", "\"failed to parse filter (val)\" (line 1, column 1)",
                #"unexpected "v" expecting "not" or operator (eq, gt, ...)"#
            ),
            (
                "id=eq", "\"failed to parse filter (eq)\" (line 1, column 3)",
                #"unexpected end of input expecting operator (eq, gt, ...)"#
            ),
            (
                "id=eq().value", "\"failed to parse filter (eq().value)\" (line 1, column 4)",
                #"unexpected ")" expecting operator (eq, gt, ...)"#
            ),
            (
                "id=fts().value", "\"failed to parse filter (fts().value)\" (line 1, column 5)",
                #"unexpected ")" expecting operator (eq, gt, ...)"#
            ),
            (
                "id=is().value", "\"failed to parse filter (is().value)\" (line 1, column 3)",
                #"unexpected "(" expecting operator (eq, gt, ...)"#
            ),
            (
                "id=in().value", "\"failed to parse filter (in().value)\" (line 1, column 3)",
                #"unexpected "(" expecting operator (eq, gt, ...)"#
            ),
            (
                "id=is.banana", "\"failed to parse filter (is.banana)\" (line 1, column 4)",
                #"unexpected "b" expecting isVal: (null, not_null, true, false, unknown)"#
            ),
            (
                "order=id.ac", "\"failed to parse order (id.ac)\" (line 1, column 4)",
                #"unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast""#
            ),
            (
                "order=id.descc", "\"failed to parse order (id.descc)\" (line 1, column 8)",
                #"unexpected 'c' expecting delimiter (.), "," or end of input"#
            ),
            (
                "order=id.asc.nullslasttt", "\"failed to parse order (id.asc.nullslasttt)\" (line 1, column 17)",
                #"unexpected 't' expecting "," or end of input"#
            ),
            (
                "order=id.asc.smth34", "\"failed to parse order (id.asc.smth34)\" (line 1, column 8)",
                #"unexpected "s" expecting "nullsfirst" or "nullslast""#
            ),
            (
                "order=clients(name,id)", "\"failed to parse order (clients(name,id))\" (line 1, column 8)",
                #"unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input"#
            ),
            (
                "or=()", "\"failed to parse logic tree (())\" (line 1, column 4)",
                #"unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"#
            ),
            (
                "or=(id.in.1,2,id.eq.3)", "\"failed to parse logic tree ((id.in.1,2,id.eq.3))\" (line 1, column 10)",
                #"unexpected "1" expecting "(""#
            ),
            ("or=)(", "\"failed to parse logic tree ()()\" (line 1, column 3)", #"unexpected ")" expecting "(""#),
            (
                "and=(ord(id.eq.1,id.eq.1),id.eq.2)",
                "\"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))\" (line 1, column 7)",
                #"unexpected "d" expecting "(""#
            ),
            (
                "or=(id.eq.1,not.xor(id.eq.2,id.eq.3))",
                "\"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))\" (line 1, column 16)",
                #"unexpected "x" expecting logic operator (and, or)"#
            ),
            (
                "columns=", "\"failed to parse columns parameter ()\" (line 1, column 1)",
                "unexpected end of input expecting field name (* or [a..z0..9_$])"
            ),
            (
                "select=id,clients(name[])",
                "\"failed to parse select parameter (id,clients(name[]))\" (line 1, column 16)",
                #"unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#
            ),
            (
                "select=data->>-78xy", "\"failed to parse select parameter (data->>-78xy)\" (line 1, column 11)",
                #"unexpected 'x' expecting digit, "->", "::", ".", "," or end of input"#
            ),
            (
                "select=name!hint", "\"failed to parse select parameter (name!hint)\" (line 1, column 5)",
                #"unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#
            ),
            (
                "select=name::", "\"failed to parse select parameter (name::)\" (line 1, column 7)",
                "unexpected end of input expecting letter or digit"
            ),
            (
                "select=data->>--34", "\"failed to parse select parameter (data->>--34)\" (line 1, column 9)",
                #"unexpected "-" expecting digit"#
            ),
        ])
    func faults(text: String, message: String, details: String) throws {
        #expect(throws: RowError(400, "PGRST100", message, details: details)) { try Self.query(text) }
    }

    @Test(
        "What is no query is refused",
        arguments: [
            "=eq.1", "a..b=eq.1", "id=", "id=eq,1", "id=not.1", "id=in.1", "id=in.(1", "id=like(some).{a}", "order=",
            "order=a,",
            "order=.desc", "select=a,,b", "select=schools(", "select=*a", "or=", "or=(", "or=(a.eq.1", "id=in.(1)2",
            "id=is.nullx", "id!x=eq.1",
            "and=(a)",
            "or=(a.eq.1,)", "on_conflict=", "select=a:b:c", "select=!inner(*)",
        ])
    func refusals(text: String) throws {
        let error = #expect(throws: RowError.self) { try Self.query(text) }
        #expect(error?.status == 400)
        #expect(error?.code == "PGRST100")
        #expect(error?.details?.isEmpty == false)
    }

    @Test("Deep nesting is refused before it fills the stack", arguments: [65, 10_000])
    func nesting(depth: Int) throws {
        let group = String(repeating: "or(", count: depth) + "a.eq.1" + String(repeating: ")", count: depth)
        let relation = String(repeating: "a(", count: depth) + "b" + String(repeating: ")", count: depth)
        for text in ["and=(\(group))", "select=\(relation)"] {
            #expect(throws: RowError.self) { try Self.query(text) }
        }
    }

    @Test("Nesting of a few levels is accepted")
    func shallowNesting() throws {
        let group = String(repeating: "or(", count: 60) + "a.eq.1" + String(repeating: ")", count: 60)
        #expect(throws: Never.self) { try Self.query("and=(\(group))") }
    }

    @Test("Bytes that are no text are no query", arguments: ["a=%FF", "a=eq.%00", "%C3=eq.1"])
    func bytes(text: String) {
        #expect(QueryItems(text) == nil)
    }

    @Test("A query without end is refused")
    func length() throws {
        let text = "title=eq." + String(repeating: "x", count: RowQuery.longestText)
        #expect(throws: RowError.self) { try Self.query(text) }
    }
}
