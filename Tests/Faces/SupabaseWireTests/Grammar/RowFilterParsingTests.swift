import HTTPSyntax
import Supabase
import TestDeadline
import Testing

/// Filters as values: what each operator of the wire becomes.
@Suite(.deadline) struct RowFilterParsingTests {
    private static func filters(_ query: String) throws -> [RowCondition] {
        let query = try RowQuery(parsing: #require(QueryItems(query)))
        guard case .all(let conditions) = query.root.condition else {
            Issue.record("the root's condition is no conjunction")
            return []
        }
        return conditions
    }

    private static func filter(_ query: String) throws -> RowFilter {
        let all = try filters(query)
        guard case .filter(let filter)? = all.first, all.count == 1 else { throw RowError(0, "", "not one filter") }
        return filter
    }

    @Test(
        "An operator becomes its test",
        arguments: [
            ("eq.x", .compare(.equal, nil, "x")), ("neq.x", .unequal("x")), ("gt.1", .compare(.greater, nil, "1")),
            ("gte.1", .compare(.greaterOrEqual, nil, "1")), ("lt.1", .compare(.less, nil, "1")),
            ("lte.1", .compare(.lessOrEqual, nil, "1")), ("like.a*", .compare(.like, nil, "a*")),
            ("ilike.*b", .compare(.ilike, nil, "*b")), ("match.^a", .compare(.match, nil, "^a")),
            ("imatch.^a", .compare(.imatch, nil, "^a")), ("isdistinct.x", .distinct("x")),
            ("cs.{a}", .set(.contains, "{a}")), ("cd.{a}", .set(.isContained, "{a}")),
            ("ov.{a}", .set(.overlaps, "{a}")), ("sl.(1,2)", .range(.left, "(1,2)")),
            ("sr.x", .range(.right, "x")), ("nxr.x", .range(.notRight, "x")), ("nxl.x", .range(.notLeft, "x")),
            ("adj.x", .range(.adjacent, "x")), ("fts.cat", .search(.words, "cat")),
            ("fts(english).cat", .search(.words, "cat")), ("plfts.cat", .search(.plain, "cat")),
            ("phfts.cat", .search(.phrase, "cat")), ("wfts(simple).cat", .search(.web, "cat")),
            ("is.null", .state(.null)), ("is.NULL", .state(.null)), ("is.Null", .state(.null)),
            ("is.not_null", .state(.notNull)), ("is.true", .state(.true)), ("is.FALSE", .state(.false)),
            ("is.unknown", .state(.unknown)),
            ("like(any).{a%25,b%25}", .compare(.like, .any, "{a%,b%}")),
            ("ilike(all).{a,b}", .compare(.ilike, .all, "{a,b}")), ("eq(any).{1,2}", .compare(.equal, .any, "{1,2}")),
            ("gt(all).{1,2}", .compare(.greater, .all, "{1,2}")), ("match(any).{a}", .compare(.match, .any, "{a}")),
        ] as [(String, RowTest)])
    func operators(text: String, test: RowTest) throws {
        #expect(try Self.filter("col=\(text)") == RowFilter("col", test))
        #expect(try Self.filter("col=not.\(text)") == RowFilter("col", isNegated: true, test))
    }

    @Test(
        "Everything behind the operator is literal",
        arguments: [
            ("eq.a.b.c", "a.b.c"), ("eq.", ""), ("eq.%22a%22", "\"a\""), ("eq.a,b)", "a,b)"),
            ("eq.not.eq.x", "not.eq.x"),
            ("eq.a+b", "a b"), ("eq.a%2Bb", "a+b"), ("eq.100%", "100%"), ("eq.%zz", "%zz"), ("eq.a=b", "a=b"),
            ("eq.%F0%9F%8E%BE", "🎾"), ("eq.%C3%A9t%C3%A9", "été"), ("eq.null", "null"), ("eq.*", "*"),
            ("eq.%0A", "\n"), ("eq.a;b", "a;b"),
        ])
    func literals(text: String, value: String) throws {
        #expect(try Self.filter("title=\(text)").test == .compare(.equal, nil, value))
    }

    @Test(
        "A list keeps quoted commas, brackets and quotes",
        arguments: [
            ("(a,b)", ["a", "b"]), ("()", []), ("(a)", ["a"]), ("(%22%22)", []), ("(,)", ["", ""]),
            ("(a,)", ["a", ""]),
            ("(a,%22b,c%22,%22d%5C%22e%22)", ["a", "b,c", "d\"e"]), ("(%22a)b%22,c)", ["a)b", "c"]),
            ("(%22a%5C%5Cb%22)", ["a\\b"]), ("(%22a%22b,c)", ["\"a\"b", "c"]), ("(a%22b%22,c)", ["a\"b\"", "c"]),
            ("(1,2,3)", ["1", "2", "3"]), ("(a b, c)", ["a b", " c"]), (" ( a,b ) ", ["a", "b "]),
            ("(a.b,c(d)", ["a.b", "c(d"]), ("(%22,%22)", [","]),
        ] as [(String, [String])])
    func lists(text: String, values: [String]) throws {
        #expect(try Self.filter("type=in.\(text)").test == .among(values))
        let nested = try Self.filters("and=(type.in.\(text),id.eq.1)")
        #expect(nested == [.all([.filter(RowFilter("type", .among(values))), Self.isOne("id")])])
    }

    private static func isOne(_ column: String, isNegated: Bool = false) -> RowCondition {
        .filter(RowFilter(column, isNegated: isNegated, .compare(.equal, nil, "1")))
    }

    private static func equals(_ column: String, _ value: String) -> RowCondition {
        .filter(RowFilter(column, .compare(.equal, nil, value)))
    }

    @Test(
        "Groups nest, and take values with commas only when quoted",
        arguments: [
            ("or=(a.eq.1,b.eq.1)", .any([isOne("a"), isOne("b")])),
            ("and=(a.eq.1,b.eq.1)", .all([isOne("a"), isOne("b")])),
            ("not.or=(a.eq.1,b.eq.1)", .not(.any([isOne("a"), isOne("b")]))),
            ("not.and=(a.eq.1)", .not(.all([isOne("a")]))), ("or=(a.eq.1)", .any([isOne("a")])),
            (
                "or=(a.eq.1,and(b.eq.1,not.or(c.eq.1,d.not.eq.1)))",
                .any([isOne("a"), .all([isOne("b"), .not(.any([isOne("c"), isOne("d", isNegated: true)]))])])
            ),
            ("or=( a.eq.1 , b.eq.1 )", .any([equals("a", "1 "), equals("b", "1 ")])),
            ("or=(not.a.eq.1,b.eq.1)", .any([.not(isOne("a")), isOne("b")])),
            ("or=(a.eq.%22x,y%22,b.eq.1)", .any([equals("a", "x,y"), isOne("b")])),
            ("or=(a.eq.%22x)y%22)", .any([equals("a", "x)y")])),
            ("or=(a.eq.%22x%5C%22y%22)", .any([equals("a", "x\"y")])),
            ("or=(a.eq.x.y,b.eq.1)", .any([equals("a", "x.y"), isOne("b")])),
            ("or=(a.eq.,b.eq.1)", .any([equals("a", ""), isOne("b")])),
            (
                "or=(a.cs.{x,y},b.eq.1)",
                .any([.filter(RowFilter("a", .set(.contains, "{x,y}"))), isOne("b")])
            ),
            (
                "or=(a.like(any).{x*,y*},b.eq.1)",
                .any([.filter(RowFilter("a", .compare(.like, .any, "{x*,y*}"))), isOne("b")])
            ),
            (
                "or=(a.in.(1,2),b.is.null)",
                .any([
                    .filter(RowFilter("a", .among(["1", "2"]))),
                    .filter(RowFilter("b", .state(.null))),
                ])
            ),
            (
                "or=(a.not.in.(1,2),b.not.is.null)",
                .any([
                    .filter(RowFilter("a", isNegated: true, .among(["1", "2"]))),
                    .filter(RowFilter("b", isNegated: true, .state(.null))),
                ])
            ),
            (
                "or=(a.isdistinct.1)", .any([.filter(RowFilter("a", .distinct("1")))])
            ),
        ] as [(String, RowCondition)])
    func groups(query: String, condition: RowCondition) throws {
        #expect(try Self.filters(query) == [condition])
    }

    @Test("Filters and groups of one request must all hold")
    func conjunction() throws {
        let conditions = try Self.filters("a=eq.1&or=(b.eq.1,c.eq.1)&d=eq.1&a=eq.1")
        #expect(conditions.count == 4)
        #expect(conditions.contains(.any([Self.isOne("b"), Self.isOne("c")])))
        #expect(conditions.filter { $0 == Self.isOne("a") }.count == 2)
    }

    @Test(
        "A column's name may be quoted, spaced, dashed, or lead into JSON",
        arguments: [
            ("a-b", "a-b"), ("%22a.b%22", "a.b"), ("a%20b", "a b"),
            ("été", "été"), ("$1_", "$1_"),
            ("data->>a", "data->>a"), ("data->a->>-1", "data->a->>-1"), ("data->%22a.b%22", "data->a.b"),
        ])
    func names(key: String, column: String) throws {
        #expect(try Self.filter("\(key)=eq.1") == RowFilter(column, .compare(.equal, nil, "1")))
    }

    @Test("A key with dots leads to a selected relation")
    func paths() throws {
        let query = try RowQuery(
            parsing: #require(
                QueryItems("schools.name=eq.x&schools.or=(id.eq.1)&a.b.limit=3&schools.order=name&not.and=(x.eq.1)")))
        #expect(
            query.related[["schools"]]?.condition == .all([.any([Self.isOne("id")]), Self.equals("name", "x")]))
        #expect(query.related[["schools"]]?.order == [RowOrder(.column("name"))])
        #expect(query.related[["a", "b"]]?.range.limit == 3)
        #expect(query.root.condition == .all([.not(.all([Self.isOne("x")]))]))
    }
}
