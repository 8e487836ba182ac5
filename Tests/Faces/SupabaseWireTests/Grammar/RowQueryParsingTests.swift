import HTTPSyntax
import Supabase
import TestDeadline
import Testing

/// Selection, order, ranges and reserved parameters as values.
@Suite(.deadline) struct RowQueryParsingTests {
    private static func query(_ text: String) throws -> RowQuery {
        try RowQuery(parsing: #require(QueryItems(text)))
    }

    private static func column(_ name: String, alias: String? = nil, cast: String? = nil) -> RowSelection {
        .column(SelectedColumn(name, alias: alias, cast: cast))
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
            ("data->>a", [column("data->>a")]), ("data->0::text", [column("data->0", cast: "text")]),
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
            ("a", [RowOrder(.column("a"), isDescending: false, nullsFirst: false)]),
            ("a.asc", [RowOrder(.column("a"), isDescending: false, nullsFirst: false)]),
            ("a.desc", [RowOrder(.column("a"), isDescending: true, nullsFirst: true)]),
            ("a.desc.nullslast", [RowOrder(.column("a"), isDescending: true, nullsFirst: false)]),
            ("a.asc.nullsfirst", [RowOrder(.column("a"), isDescending: false, nullsFirst: true)]),
            ("a.nullsfirst", [RowOrder(.column("a"), isDescending: false, nullsFirst: true)]),
            ("a.nullslast", [RowOrder(.column("a"), isDescending: false, nullsFirst: false)]),
            (
                "a.desc.nullslast,b",
                [
                    RowOrder(.column("a"), isDescending: true, nullsFirst: false),
                    RowOrder(.column("b")),
                ]
            ),
            ("a, b", [RowOrder(.column("a")), RowOrder(.column("b"))]),
            ("schools(name).desc", [RowOrder(.related("schools", "name"), isDescending: true)]),
            (
                "name,schools(name),id",
                [
                    RowOrder(.column("name")), RowOrder(.related("schools", "name")),
                    RowOrder(.column("id")),
                ]
            ),
        ])
    func orders(text: String, terms: [RowOrder]) throws {
        #expect(try Self.query("order=\(text)").root.order == terms)
    }

    @Test("Of several orders the first counts, of several limits the last")
    func repeated() throws {
        let query = try Self.query("order=a&order=b&limit=1&limit=2&offset=3&offset=4&select=a&select=b")
        #expect(query.root.order == [RowOrder(.column("a"))])
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
        "A fault tells its place, and what could have stood there",
        arguments: [
            ("id=0", "filter (0)", 1, #""0" expecting an operator (eq, gt, ...)"#),
            ("id=noop.0", "filter (noop.0)", 1, #""n" expecting an operator (eq, gt, ...)"#),
            ("id=not.eq", "filter (not.eq)", 5, #""e" expecting an operator (eq, gt, ...)"#),
            ("id=in().value", "filter (in().value)", 4, #"")" expecting a name"#),
            ("id=neq(any).1", "filter (neq(any).1)", 1, #""n" expecting an operator (eq, gt, ...)"#),
            ("id=is.banana", "filter (is.banana)", 4, #""b" expecting null, not_null, true, false or unknown"#),
            ("order=id.ac", "order (id.ac)", 6, "end of input expecting asc or desc, then nullsfirst or nullslast"),
            ("order=clients(name,id)", "order (clients(name,id))", 13, #""," expecting ")""#),
            ("or=()", "logic tree (())", 4, #"")" expecting a name"#),
            ("or=(id.in.1,2,id.eq.3)", "logic tree ((id.in.1,2,id.eq.3))", 10, #""1" expecting "(""#),
            ("or=(id.eq.1,b", "logic tree ((id.eq.1,b)", 13, #"end of input expecting ".""#),
            ("columns=", "columns parameter ()", 1, "end of input expecting a name"),
            ("select=id,clients(name[])", "select parameter (id,clients(name[]))", 16, #""[" expecting ")""#),
            ("select=name!hint", "select parameter (name!hint)", 10, #"end of input expecting "(""#),
            ("select=name::", "select parameter (name::)", 7, "end of input expecting a name"),
            ("select=data->>", "select parameter (data->>)", 8, "end of input expecting a key"),
            ("id=in.(%22a", "filter (in.(\"a)", 7, #"end of input expecting ")""#),
        ])
    func faults(text: String, what: String, column: Int, details: String) throws {
        let message = "\"failed to parse \(what)\" (line 1, column \(column))"
        #expect(throws: RowError(400, "PGRST100", message, details: "unexpected \(details)")) { try Self.query(text) }
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

    @Test("Deep nesting is refused before it fills the stack", arguments: [13, 10_000])
    func nesting(depth: Int) throws {
        let group = String(repeating: "or(", count: depth) + "a.eq.1" + String(repeating: ")", count: depth)
        let relation = String(repeating: "a(", count: depth) + "b" + String(repeating: ")", count: depth)
        for text in ["and=(\(group))", "select=\(relation)"] {
            #expect(throws: RowError.self) { try Self.query(text) }
        }
    }

    @Test("Nesting of a few levels is accepted")
    func shallowNesting() throws {
        let group = String(repeating: "or(", count: 11) + "a.eq.1" + String(repeating: ")", count: 11)
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
