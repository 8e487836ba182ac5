import HTTPSyntax
import Media
import People
import PostgreSQLSupport
import RowTables
import Supabase
import TestDeadline
import TestSupport
import Testing

/// Filters over rows: the operators of the wire, the logic of three values, and the errors of values and names.
@Suite(.deadline) struct FilterTests {
    @Test(
        "A filter selects its rows",
        arguments: [
            // By the title of the rows: Alpha 1, beta (2), "c,d", Résumé, 100%_x.
            ("title=eq.Alpha 1", "0"), ("title=eq.alpha 1", ""), ("title=neq.Alpha 1", "1234"),
            ("title=like.*a*", "01"),
            ("title=ilike.a*", "0"), ("title=ilike.*É*", "3"), ("title=like.____", "1"), ("title=like.R_sum_", "3"),
            ("title=like.100\\%25\\_x", "4"), ("title=like.*\\*", ""), ("title=like.%25", "01234"), ("title=like.", ""),
            ("title=not.like.*a*", "234"),
            ("title=in.(beta,%22c,d%22)", "12"), ("title=in.()", ""), ("title=not.in.()", "01234"),
            ("title=not.in.(beta)", "0234"), ("title=gt.beta", "2"), ("title=lte.beta", "0134"),
            // Descriptions: null for all but row 2.
            ("description=is.null", "0134"), ("description=is.not_null", "2"), ("description=not.is.null", "2"),
            ("description=eq.x", "2"), ("description=neq.x", ""), ("description=not.eq.x", ""),
            ("description=neq.y", "2"),
            ("description=in.(x,y)", "2"),
            ("description=not.in.(y)", "2"), ("description=in.()", ""), ("description=not.in.()", "01234"),
            // Numbers, truth, moments.
            ("version=eq.2", "1"), ("version=eq. 2 ", "1"), ("version=eq.%2B2", "1"), ("version=gt.3", "4"),
            ("version=gte.3", "24"), ("version=lt.2", "03"), ("version=lte.2", "013"), ("version=neq.1", "124"),
            ("version=in.(1,3)", "023"), ("version=not.gt.1", "03"), ("is_current=is.true", "02"),
            ("is_current=is.false", "134"),
            ("is_current=is.unknown", ""), ("is_current=not.is.true", "134"), ("is_current=eq.true", "02"),
            ("is_current=eq.t", "02"), ("is_current=eq.NO", "134"), ("is_current=neq.true", "134"),
            ("is_current=not.is.null", "01234"),
            ("created_at=eq.2025-03-01T00:00:00Z", "2"), ("created_at=gt.2025-03-01", "34"),
            ("created_at=lt.2025-02-01T01:00:00%2B02:00", "0"), ("created_at=gte.2025-02-01T01:00:00%2B01:00", "1234"),
            ("created_at=lt.infinity", "01234"), ("created_at=gt.-infinity", "01234"), ("created_at=gt.epoch", "01234"),
            ("id=eq.00000000000040008000000000000001", "1"), ("id=eq.{00000000-0000-4000-8000-000000000001}", "1"),
            ("id=in.(00000000-0000-4000-8000-000000000001,00000000-0000-4000-8000-000000000003)", "13"),
            ("id=gt.00000000-0000-4000-8000-000000000002", "34"), ("school_id=is.null", "34"),
            // Lists: {a}, {a,b c}, {}, {a,x}, {}.
            ("shared_with_schools=cs.{a}", "013"), ("shared_with_schools=cs.{a,%22b c%22}", "1"),
            ("shared_with_schools=cs.{b c}", "1"), ("shared_with_schools=cs.{}", "01234"),
            ("shared_with_schools=cd.{a}", "024"),
            ("shared_with_schools=cd.{a,%22b c%22,x}", "01234"), ("shared_with_schools=ov.{x,a}", "013"),
            ("shared_with_schools=ov.{}", ""), ("shared_with_schools=not.cs.{a}", "24"),
            ("shared_with_schools=cs.{NULL}", ""),
            ("shared_with_schools=ov.{NULL,x}", "3"), ("shared_with_schools=cd.{NULL}", "24"),
            ("shared_with_schools=is.null", ""), ("shared_with_schools=not.is.null", "01234"),
            // Groups.
            ("or=(version.eq.1,title.like.c*)", "023"), ("and=(version.gt.1,is_current.is.true)", "2"),
            ("not.or=(version.eq.1,title.like.c*)", "14"), ("not.and=(version.gt.1,is_current.is.true)", "0134"),
            ("or=(description.eq.x,version.eq.1)", "023"), ("not.or=(description.eq.x,version.eq.9)", ""),
            ("or=(title.eq.%22c,d%22,and(version.gte.2,not.title.like.c*))", "124"),
            ("version=gte.1&version=lt.3&title=not.like.b*", "03"),
            ("or=(version.eq.1,version.eq.2)&or=(is_current.is.false)", "13"),
        ])
    func filters(query: String, rows: String) throws {
        #expect(try Sample.selected(query) == rows)
    }

    @Test(
        "What does not fit the columns is an error of PostgreSQL's",
        arguments: [
            ("id=eq.x", "22P02", 400), ("id=in.(x)", "22P02", 400), ("version=eq.1.5", "22P02", 400),
            ("version=eq.", "22P02", 400),
            ("version=eq.99999999999", "22003", 400), ("is_current=eq.maybe", "22P02", 400),
            ("is_current=eq.o", "22P02", 400),
            ("created_at=gt.soon", "22007", 400), ("created_at=gt.2025-02-30", "22008", 400),
            ("shared_with_schools=cs.a", "22P02", 400), ("shared_with_schools=cs.{a", "22P02", 400),
            ("shared_with_schools=cs.{a}}", "22P02", 400),
            ("nothing=eq.1", "42703", 400), ("or=(nothing.eq.1)", "42703", 400), ("select=nothing", "42703", 400),
            ("order=nothing", "42703", 400), ("id=like.a*", "42883", 404),
            ("title=cs.{a}", "42883", 404), ("version=sl.(1,2)", "42883", 404), ("title=is.true", "42804", 400),
            ("title=fts.cat", "PGRST127", 400), ("title=like.A\\", "22025", 400),
            ("title=match.a", "PGRST127", 400), ("title=imatch.a", "PGRST127", 400),
            ("title=like(any).{A*,b*}", "PGRST127", 400), ("version=eq(all).{1}", "PGRST127", 400),
            ("title=isdistinct.a", "PGRST127", 400), ("shared_with_schools=eq.{a}", "PGRST127", 400),
            ("shared_with_schools=in.({a})", "PGRST127", 400), ("order=shared_with_schools", "PGRST127", 400),
            ("shared_with_schools->>0=eq.a", "PGRST127", 400), ("select=shared_with_schools->0", "PGRST127", 400),
            ("select=id::json", "PGRST127", 400),
            ("select=id::nope", "42704", 400), ("select=id::int", "42846", 400), ("select=count()", "PGRST123", 400),
            ("select=version.sum()", "PGRST123", 400), ("select=coaches(*)", "PGRST200", 400),
            ("coaches.name=eq.x", "PGRST108", 400),
            ("select=s:schools(name)&s.name=eq.x&schools.name=eq.y", "PGRST100", 400),
            ("order=coaches(name)", "PGRST108", 400),
            ("select=*,document_shares(*)&order=document_shares(id)", "PGRST118", 400),
            ("select=...document_shares(id)", "PGRST127", 400), ("select=title::int", "22P02", 400),
        ])
    func errors(query: String, code: String, status: Int) throws {
        let error = #expect(throws: RowError.self) { try Sample.answer(query) }
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.message.isEmpty == false)
    }

    @Test("Errors have PostgREST's words")
    func words() {
        #expect(throws: RowError(400, "22P02", "invalid input syntax for type uuid: \"x\"")) {
            try Sample.answer("id=eq.x")
        }
        #expect(
            throws: RowError(400, "42703", "column documents.titel does not exist")
        ) { try Sample.answer("titel=eq.x") }
        #expect(
            throws: RowError(
                400, "PGRST200", "Could not find a relationship between 'documents' and 'coaches' in the schema cache",
                details:
                    "Searched for a foreign key relationship between 'documents' and 'coaches' in the schema 'public', but "
                    + "no matches were found.")
        ) { try Sample.answer("select=coaches(*)") }
        #expect(
            throws: RowError(404, "PGRST205", "Could not find the table 'public.document' in the schema cache")
        ) { try RowTable.named("document") }
    }

    /// A database with one long text.
    private static func long(_ text: String) throws -> RowDatabase {
        try RowDatabase { tables in
            let owner = RowValue.uuid(Sample.owner)
            let row: [RowValue] = RowTable.documents.columns.map { column in
                switch column.type {
                case .uuid: owner
                case .text: .text(text)
                case .integer: .integer(1)
                case .boolean: .boolean(true)
                case .timestamp: .timestamp(Instant(microseconds: 0))
                case .texts: .texts([])
                }
            }
            try tables.insert(row, into: .documents, owner: Sample.owner)
        }
    }

    @Test(
        "Greek words are found whichever way their last letter is written",
        arguments: ["*Σ*", "*ς*", "*οδοσ*", "*οδος", "ΟΔΟΣ", "ΟΔΟ_", "*δ*"])
    func sigma(pattern: String) throws {
        let database = try Self.long("ΟΔΟΣ")
        #expect(try database.objects("title=ilike.\(ServiceClient.encoded(pattern))").count == 1)
        // A combining mark belongs to the letter before it, as Swift sees it, but not as the database does.
        let marked = try Self.long("ΟΔΟΣ\u{323}")
        #expect(try marked.objects("title=ilike.\(ServiceClient.encoded("*\(pattern)*\u{323}*"))").count == 1)
    }

    @Test("A condition that would stand in a statement many times is refused before it is written")
    func weight() throws {
        let chain = (0..<12).reduce("id") { text, level in
            "id,a:\(level.isMultiple(of: 2) ? "documents" : "document_shares")!inner(\(text))"
        }
        let tests = (1...11).flatMap { depth in
            Array(repeating: Array(repeating: "a", count: depth).joined(separator: ".") + "=not.is.null", count: 3)
        }
        let wide =
            "select=id,s:schools(id)&s.name=in.(" + Array(repeating: "a", count: 2500).joined(separator: ",") + ")&or=("
            + Array(repeating: "s.not.is.null", count: 2500).joined(separator: ",") + ")"
        let time = ProcessorTime.measure {
            for (query, table) in [
                ("select=\(chain)&\(tests.joined(separator: "&"))", RowTable.documentShares), (wide, .documents),
            ] {
                let error = #expect(throws: RowError.self) { try Sample.answer(query, of: table) }
                #expect(error?.status == 400, "\(String(describing: error))")
            }
        }
        #expect(time < .seconds(5))
    }

    @Test("A query that takes too long ends", .enabled(if: !TestServer.isWanted, "a server looks between rows"))
    func endless() throws {
        let database = try Self.long(String(repeating: "a", count: 200_000))
        let patterns = Array(repeating: "title.like.*" + String(repeating: "a", count: 240) + "b*", count: 200)
        let error = #expect(throws: RowError.self) {
            try database.objects("or=(\(patterns.joined(separator: ",")))")
        }
        #expect(error?.code == "57014")
    }

    @Test("Brackets nest as deep as the grammar allows, in any form", arguments: ["and", "or", "not.and", "not.or"])
    func nesting(word: String) throws {
        let inner = (0..<11).reduce("version.eq.1") { text, level in
            "\(level.isMultiple(of: 2) ? word : "or")(id.is.null,\(text))"
        }
        #expect(throws: Never.self) { try Sample.answer("\(word)=(\(inner),title.eq.x)") }
        let relations = (0..<10).reduce("id") { text, level in
            "id,\(level.isMultiple(of: 2) ? "schools" : "documents")!inner(\(text))"
        }
        do {
            _ = try Sample.answer("select=\(relations)", of: .schools)
        } catch let error as RowError {
            #expect(error.status == 400, "\(error)")
        }
    }

    @Test("No pattern is slow")
    func boundedTime() throws {
        let database = try Self.long(String(repeating: "a", count: 20_000))
        let time = try ProcessorTime.measure { _ = try database.objects("title=like.*a*a*a*a*b") }
        #expect(time < .seconds(5))
    }

    @Test("A query whose client has left ends", .enabled(if: !TestServer.isWanted, "a server is not asked"))
    func left() throws {
        let database = try RowDatabase { tables in
            for number in 0..<2000 {
                try tables.insert(
                    [
                        .uuid("00000000-0000-4000-8000-\(String(number + 100_000_000_000))"), .uuid(Sample.owner),
                        .text("A"), .timestamp(Instant(microseconds: 0)), .timestamp(Instant(microseconds: 0)),
                    ], into: .schools, owner: Sample.owner)
            }
        }
        let plan = try RowPlan(RowQuery(parsing: #require(QueryItems("name=ilike.*z"))), of: .schools)
        let error = #expect(throws: RowError.self) {
            _ = try database.reader(within: .everybody, hasClientLeft: true).rows(plan, range: RowRange())
        }
        #expect(error?.status == 499)
    }

    @Test("Nobody gets rows out of reach")
    func reach() throws {
        let database = try Sample.shared.get()
        let plan = try RowPlan(
            RowQuery(parsing: #require(QueryItems("or=(id.not.is.null,id.is.null)&select=id,document_shares(id)"))),
            of: .documents)
        let other = try #require(ID<Person>("00000000-0000-4000-8000-000000000008"))
        for reach in [Reach.nobody, .person(other)] {
            #expect(try database.reader(within: reach).rows(plan, range: RowRange()).isEmpty)
            #expect(try database.reader(within: reach).count(plan) == 0)
        }
        let owner = try #require(ID<Person>(Sample.owner))
        #expect(try database.reader(within: .person(owner)).count(plan) == 5)
    }

    @Test("A query has a bounded number of columns, terms, filters and values, and an answer of bytes")
    func bounds() throws {
        func columns(_ count: Int) -> String {
            "select=" + Array(repeating: "title", count: count).joined(separator: ",")
        }
        func terms(_ count: Int) -> String { "order=" + Array(repeating: "title", count: count).joined(separator: ",") }
        func filters(_ count: Int) -> String {
            "or=(" + Array(repeating: "version.eq.1", count: count).joined(separator: ",") + ")"
        }
        func values(_ count: Int) -> String {
            "version=in.(" + Array(repeating: "1", count: count).joined(separator: ",") + ")"
        }
        #expect(throws: Never.self) { try Sample.answer(columns(100) + "&" + terms(10)) }
        #expect(try Sample.selected(filters(5000)) == "03")
        #expect(try Sample.selected(values(4999)) == "03")
        for (query, code) in [
            (columns(101), "54011"), (terms(11), "54000"), (filters(5001), "54001"), (values(5000), "54001"),
            ("title=like." + String(repeating: "a", count: 257), "54000"),
        ] {
            let error = #expect(throws: RowError.self) { try Sample.answer(query) }
            #expect(error?.code == code, "\(query.prefix(40))")
        }
        let large = try Self.long(String(repeating: "a", count: 1 << 20))
        #expect(throws: Never.self) { try large.answer(columns(5)) }
        let error = #expect(throws: RowError.self) { try large.answer(columns(20)) }
        #expect(error?.code == "54000" && error?.message == "the answer would have more than 16 MiB")
    }
}
