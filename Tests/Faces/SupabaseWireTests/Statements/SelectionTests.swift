import HTTPServing
import HTTPSyntax
import Media
import RowTables
import Supabase
import TestDeadline
import Testing

/// Columns, casts, relations, orders and the forms of answers.
@Suite(.deadline) struct SelectionTests {
    @Test(
        "A selection answers its columns in its order",
        arguments: [
            ("select=title,version", #"[{"title": "Alpha 1", "version": 1}]"#),
            ("select=n:title", #"[{"n": "Alpha 1"}]"#),
            ("select=version::text", #"[{"version": "1"}]"#), ("select=v:version::int8", #"[{"v": 1}]"#),
            ("select=version::bool", #"[{"version": true}]"#),
            ("select=is_current::text", #"[{"is_current": "true"}]"#),
            ("select=is_current::int", #"[{"is_current": 1}]"#),
            ("select=description::text", #"[{"description": null}]"#),
            ("select=created_at::text", #"[{"created_at": "2025-01-01 00:00:00+00"}]"#),
            ("select=created_at::date", #"[{"created_at": "2025-01-01"}]"#),
            ("select=updated_at::timestamp", #"[{"updated_at": "2025-06-01T09:00:00.12"}]"#),
            ("select=updated_at", #"[{"updated_at": "2025-06-01T09:00:00.12+00:00"}]"#),
            ("select=shared_with_schools", #"[{"shared_with_schools": ["a"]}]"#),
            ("select=shared_with_schools::text", #"[{"shared_with_schools": "{a}"}]"#),
            ("select=document_shares(count)", #"[{"document_shares": [{"count": 1}]}]"#),
            ("select=n:document_shares(count),version", #"[{"version": 1, "n": [{"count": 1}]}]"#),
            (
                "select=document_shares(count)&document_shares.permission=eq.edit",
                #"[{"document_shares": [{"count": 0}]}]"#
            ),
            ("select=id::varchar", #"[{"id": "00000000-0000-4000-8000-000000000000"}]"#),
            ("select=schools(name),version", #"[{"version": 1, "schools": {"name": "Ohio State"}}]"#),
            ("select=s:schools(n:name)", #"[{"s": {"n": "Ohio State"}}]"#),
            ("select=school:school_id(name)", #"[{"school": {"name": "Ohio State"}}]"#),
            ("select=schools!documents_school_id_fkey(name)", #"[{"schools": {"name": "Ohio State"}}]"#),
            ("select=schools!school_id(name)", #"[{"schools": {"name": "Ohio State"}}]"#),
            ("select=version,...schools(name)", #"[{"version": 1, "name": "Ohio State"}]"#),
            ("select=version,schools()", #"[{"version": 1}]"#),
            (
                "select=document_shares(permission,schools(name))",
                #"[{"document_shares": [{"permission": "view", "schools": {"name": "Ohio State"}}]}]"#
            ),
        ])
    func selections(query: String, answer: String) throws {
        #expect(try Sample.answer(query + "&id=eq.00000000-0000-4000-8000-000000000000") == answer)
    }

    @Test("All columns are answered for nothing and for a star")
    func everything() throws {
        let one = try Sample.answer("limit=1")
        #expect(try Sample.answer("limit=1&select=") == one)
        #expect(try Sample.answer("limit=1&select=*") == one)
        let row = try #require(JSON(parsing: Array(one.utf8)).array?.first)
        #expect(row.members?.map(\.key) == RowTable.documents.columns.map(\.name))
    }

    @Test(
        "Clauses of relations choose their rows",
        arguments: [
            ("select=title&document_shares.permission=eq.view", nil),
            (
                "select=version,document_shares(permission)&version=eq.2&document_shares.order=permission",
                #"[{"version": 2, "document_shares": [{"permission": "edit"}, {"permission": "view"}]}]"#
            ),
            (
                "select=version,document_shares(permission)&version=eq.2&document_shares.permission=eq.view",
                #"[{"version": 2, "document_shares": [{"permission": "view"}]}]"#
            ),
            (
                "select=version,d:document_shares(permission)&version=eq.2&d.order=permission.desc&d.limit=1",
                #"[{"version": 2, "d": [{"permission": "view"}]}]"#
            ),
            (
                "select=version,document_shares!inner(permission)&document_shares.permission=eq.edit",
                #"[{"version": 2, "document_shares": [{"permission": "edit"}]}]"#
            ),
            (
                "select=version,schools!inner(name)&schools.name=eq.Academy",
                #"[{"version": 2, "schools": {"name": "Academy"}}]"#
            ),
            (
                "select=version,schools(name)&schools.name=eq.Academy&version=eq.3",
                #"[{"version": 3, "schools": null}]"#
            ),
            ("select=version,schools()&schools=is.null", #"[{"version": 1}, {"version": 17}]"#),
            ("select=version,document_shares()&document_shares=not.is.null", #"[{"version": 1}, {"version": 2}]"#),
            ("select=version,...schools(name)&version=eq.17", #"[{"version": 17, "name": null}]"#),
        ])
    func relatedClauses(query: String, answer: String?) throws {
        guard let answer else {
            #expect(throws: RowError.self) { try Sample.answer(query) }
            return
        }
        #expect(try Sample.answer(query) == answer)
    }

    @Test("Every column of a relation to one row orders", arguments: RowTable.documents.columns.map(\.name))
    func relatedOrders(column: String) throws {
        let query = "select=id,documents(id)&order=documents(\(column)),id"
        guard column == "shared_with_schools" else {
            #expect(try Sample.shared.get().objects(query, of: .documentShares).count == 3)
            return
        }
        #expect(throws: RowError.self) { try Sample.answer(query, of: .documentShares) }
    }

    @Test("Relations go both ways")
    func bothWays() throws {
        #expect(
            try Sample.answer("select=name,documents(version)&order=name", of: .schools)
                == #"[{"name": "Academy", "documents": [{"version": 2}]}, {"name": "Ohio State", "documents": [{"version": 1}, {"version": 3}]}]"#
        )
        #expect(
            try Sample.answer("select=documents(title),schools(name)&limit=1", of: .documentShares)
                == #"[{"documents": {"title": "Alpha 1"}, "schools": {"name": "Ohio State"}}]"#)
    }

    @Test(
        "An order sorts by its terms, nulls where they are wanted, and keeps the rest",
        arguments: [
            ("order=version", "03124"), ("order=version.desc", "42130"), ("order=title", "40312"),
            ("order=title.desc", "21304"),
            ("order=is_current", "13402"), ("order=is_current.desc", "20431"), ("order=description", "20134"),
            ("order=description.desc.nullslast", "24310"), ("order=description.nullsfirst", "01342"),
            ("order=version,title.desc", "30124"),
            ("order=created_at.desc", "43210"),
            ("order=school_id,id.desc", "20143"), ("order=id.desc", "43210"),
            ("order=schools(name),id&select=schools()", "10234"),
            ("order=schools(name).desc,id&select=schools()", "34021"),
            ("order=schools(updated_at),id&select=schools()", "01234"),
        ])
    func orders(query: String, rows: String) throws {
        #expect(try Sample.selected(query) == rows)
    }

    private static func read(
        _ query: String, prefer: String? = nil, accept: String? = nil, range: String? = nil
    ) throws -> RowAnswer {
        let parsed = try RowQuery(parsing: #require(QueryItems(query)))
        let plan = try RowPlan(parsed, of: .documents)
        let preferences = RowPreferences(headers: prefer.map { [$0] } ?? [])
        let range = try parsed.root.range.resolved(header: range, maximum: 1000)
        let reader = try Sample.shared.get().reader
        return try RowAnswer.read(
            reader.rows(plan, range: range), of: preferences.count == nil ? nil : reader.count(plan), plan: plan,
            range: range, form: RowForm(accept: accept), preferences: preferences, address: { path, _ in path })
    }

    @Test(
        "An answer tells its range, and counts where that is wanted",
        arguments: [
            ("", nil, nil, 200, "0-4/*"), ("", "count=exact", nil, 200, "0-4/5"),
            ("limit=2", "count=exact", nil, 206, "0-1/5"),
            ("limit=2", nil, nil, 200, "0-1/*"), ("offset=3", "count=exact", nil, 206, "3-4/5"),
            ("offset=5", "count=exact", nil, 206, "*/5"), ("offset=50", nil, nil, 200, "*/*"),
            ("version=eq.99", "count=exact", nil, 200, "*/0"), ("version=eq.99", nil, nil, 200, "*/*"),
            ("limit=0", "count=exact", nil, 206, "*/5"), ("", "count=planned", "1-2", 206, "1-2/5"),
            ("", "count=estimated", "0-49", 200, "0-4/5"), ("limit=3", "count=exact", "2-9", 206, "2-2/5"),
        ] as [(String, String?, String?, Int, String)])
    func ranges(query: String, prefer: String?, range: String?, status: Int, contentRange: String) throws {
        let answer = try Self.read(query, prefer: prefer, range: range)
        #expect(answer.status == status)
        #expect(answer.headers.first { $0.name == "Content-Range" }?.value == contentRange)
        #expect(answer.headers.first { $0.name == "Preference-Applied" }?.value == prefer)
    }

    @Test("An offset beyond the counted rows cannot be answered")
    func beyondEnd() {
        let error = RowError(
            416, "PGRST103", "Requested range not satisfiable",
            details: "An offset of 6 was requested, but there are only 5 rows.")
        #expect(throws: error) { try Self.read("offset=6", prefer: "count=exact") }
    }

    @Test(
        "CSV has a line of names, and one of each row's texts",
        arguments: [
            (
                "version=eq.2&select=title,description,is_current,created_at,day:created_at::date,at:created_at::timestamp",
                "title,description,is_current,created_at,day,at\n"
                    + "beta,,f,\"2025-02-01 00:00:00+00\",2025-02-01,\"2025-02-01 00:00:00\""
            ),
            (
                "version=in.(2,3)&select=title,list:shared_with_schools",
                "title,list\nbeta,\"{a,\"\"b c\"\"}\"\n\"c,d\",{}"
            ),
            (
                "version=eq.2&select=version,schools(name),...schools(school:name),document_shares(count)",
                "version,schools,school,document_shares\n2,\"{\"\"name\"\": \"\"Academy\"\"}\",Academy,\"[{\"\"count\"\": 2}]\""
            ),
            ("version=eq.17&select=description,schools(name)", "description,schools\n,"),
            ("version=eq.99&select=version", "\n"),
        ])
    func csv(query: String, lines: String) throws {
        let answer = try Self.read(query, accept: "text/csv")
        #expect(answer.body.map { String(decoding: $0.bytes, as: UTF8.self) } == lines)
        #expect(answer.contentType == "text/csv; charset=utf-8")
    }

    @Test("One object is answered for one row alone")
    func single() throws {
        let type = "application/vnd.pgrst.object+json"
        let answer = try Self.read("version=eq.2&select=version", accept: type)
        #expect(answer.body.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"version": 2}"#)
        #expect(answer.contentType == "application/vnd.pgrst.object+json; charset=utf-8")
        for (query, count) in [("version=eq.1", 2), ("version=eq.99", 0)] {
            let error = RowError(
                406, "PGRST116", "Cannot coerce the result to a single JSON object",
                details: "The result contains \(count) rows")
            #expect(throws: error) { try Self.read(query, accept: type) }
        }
    }

    @Test(
        "A change answers as it is wanted",
        arguments: [
            (.insertion(isNew: true), nil, 201, "*/*", false), (.insertion(isNew: false), nil, 200, "*/*", false),
            (.insertion(isNew: true), "return=representation", 201, "*/*", true),
            (.insertion(isNew: true), "return=headers-only", 201, "*/*", false),
            (.insertion(isNew: true), "return=minimal,count=exact", 201, "*/2", false),
            (.update, nil, 204, "0-1/*", false),
            (.update, "return=representation", 200, "0-1/*", true),
            (.update, "return=minimal,count=exact", 204, "0-1/2", false),
            (.deletion, nil, 204, "*/*", false), (.deletion, "return=representation,count=exact", 200, "*/2", true),
        ] as [(RowAnswer.Change, String?, Int, String, Bool)])
    func changes(change: RowAnswer.Change, prefer: String?, status: Int, contentRange: String, hasBody: Bool) throws {
        let plan = try RowPlan(RowQuery(parsing: #require(QueryItems("version=eq.1&select=version"))), of: .documents)
        let rows = try Sample.shared.get().reader.rows(plan, range: RowRange())
        let answer = try RowAnswer.changed(
            rows, by: change, plan: plan, location: "/documents?id=eq.1", form: .array,
            preferences: RowPreferences(headers: prefer.map { [$0] } ?? []), address: { path, _ in path })
        #expect(answer.status == status)
        #expect(answer.headers.first { $0.name == "Content-Range" }?.value == contentRange)
        #expect((answer.headers.first { $0.name == "Location" } != nil) == (prefer == "return=headers-only"))
        #expect((answer.body != nil) == hasBody)
    }

    @Test("A change to too many rows is refused")
    func limits() {
        let strict = RowPreferences(headers: ["handling=strict, max-affected=1"])
        #expect(
            throws: RowError(
                400, "PGRST124", "Query result exceeds max-affected preference constraint",
                details: "The query affects 2 rows")
        ) { try RowAnswer.check(count: 2, form: .array, preferences: strict) }
        #expect(throws: Never.self) { try RowAnswer.check(count: 1, form: .array, preferences: strict) }
        let lenient = RowPreferences(headers: ["max-affected=1"])
        #expect(throws: Never.self) { try RowAnswer.check(count: 2, form: .array, preferences: lenient) }
        #expect(throws: RowError.self) { try RowAnswer.check(count: 2, form: .object, preferences: lenient) }
    }

    @Test("Rows within rows are bounded, and so are their levels")
    func nesting() throws {
        func answer(levels: Int) throws -> String {
            try Sample.answer("select=" + (0..<levels).reduce("id") { text, _ in "id,schools(documents(\(text)))" })
        }
        #expect(throws: Never.self) { try answer(levels: 3) }
        for levels in [7, 30] {
            #expect { try answer(levels: levels) } throws: { ($0 as? RowError)?.code == "PGRST100" }
        }
        func many(_ count: Int) -> String { (0..<count).map { "a\($0):schools(id)" }.joined(separator: ",") }
        #expect(throws: Never.self) { try Sample.answer("select=\(many(20))") }
        #expect { try Sample.answer("select=\(many(21))") } throws: { ($0 as? RowError)?.code == "54000" }
        let wide = (0..<3000).map { "a\($0):schools(id)" }.joined(separator: ",")
        #expect { try Sample.answer("select=\(wide)") } throws: { ($0 as? RowError)?.code == "54011" }
    }

    @Test("Few rows that would be a great many in an answer are refused")
    func sharing() throws {
        // One school and 500 documents: each level of the answer has 500 times as many.
        let database = try RowDatabase { tables in
            func id(_ number: Int) -> RowValue { .uuid("00000000-0000-4000-8000-\(100_000_000_000 + number)") }
            let moment = RowValue.timestamp(Instant(microseconds: 0))
            try tables.insert([id(0), id(1), .text("S"), moment, moment], into: .schools, owner: Sample.owner)
            for number in 0..<500 {
                try tables.insert(
                    [
                        id(number), id(1), .text("resume"), .text("T"), .null, .text("f"), .text("t"), .integer(1),
                        id(0),
                        .boolean(true), .texts([]), id(1), moment, moment,
                    ], into: .documents, owner: Sample.owner)
            }
        }
        let select = "select=id,documents(id,schools(documents(id)))"
        #expect { try database.objects(select, of: .schools) } throws: { ($0 as? RowError)?.code == "54000" }
        #expect(throws: Never.self) { try database.objects(select + "&documents.limit=10", of: .schools) }
    }
}
