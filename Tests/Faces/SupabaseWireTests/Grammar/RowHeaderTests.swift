import Media
import Supabase
import TestDeadline
import Testing

/// Ranges, preferences, forms and bodies.
@Suite(.deadline) struct RowHeaderTests {
    @Test(
        "Limit, offset and the header Range intersect",
        arguments: [
            (0, nil, nil, RowRange()), (5, nil, nil, RowRange(offset: 5)), (0, 10, nil, RowRange(limit: 10)),
            (5, 10, nil, RowRange(offset: 5, limit: 10)), (0, nil, "0-49", RowRange(limit: 50)),
            (0, nil, "50-", RowRange(offset: 50)), (0, nil, "7-7", RowRange(offset: 7, limit: 1)),
            (0, 10, "5-49", RowRange(offset: 5, limit: 5)), (5, 10, "0-7", RowRange(offset: 5, limit: 3)),
            (0, 0, nil, RowRange(limit: 0)), (0, 0, "0-4", RowRange(limit: 0)), (0, nil, "x", RowRange()),
            (0, nil, "-5", RowRange()), (0, nil, "bytes=0-4", RowRange()), (0, nil, "0-4-5", RowRange()),
            (0, nil, "0-99999999999999999999", RowRange()), (.max, .max, nil, RowRange(offset: .max)),
        ] as [(Int64, Int64?, String?, RowRange)])
    func ranges(offset: Int64, limit: Int64?, header: String?, range: RowRange) throws {
        #expect(try RowRange(offset: offset, limit: limit).resolved(header: header, maximum: nil) == range)
    }

    @Test(
        "A range that cannot be is refused",
        arguments: [(-1, nil, nil), (0, -1, nil), (-5, 10, nil), (0, nil, "5-2"), (10, nil, "0-4"), (0, 5, "10-")]
            as [(Int64, Int64?, String?)])
    func refusals(offset: Int64, limit: Int64?, header: String?) {
        let error = #expect(throws: RowError.self) {
            try RowRange(offset: offset, limit: limit).resolved(header: header, maximum: 1000)
        }
        #expect(error?.status == 416)
        #expect(error?.code == "PGRST103")
    }

    @Test("An answer has at most the rows that the server allows")
    func maximum() throws {
        #expect(try RowRange().resolved(header: nil, maximum: 1000).limit == 1000)
        #expect(try RowRange(limit: 5000).resolved(header: nil, maximum: 1000).limit == 1000)
        #expect(try RowRange(limit: 5).resolved(header: nil, maximum: 1000).limit == 5)
    }

    @Test(
        "Preferences are read from all headers, the first of each",
        arguments: [
            (["return=representation"], "return=representation"),
            (["return=minimal,count=exact"], "return=minimal, count=exact"),
            (["count=planned", "count=exact"], "count=planned"),
            (
                [" resolution=merge-duplicates ,  return=headers-only"],
                "resolution=merge-duplicates, return=headers-only"
            ),
            (["missing=default, resolution=ignore-duplicates"], "resolution=ignore-duplicates, missing=default"),
            (["handling=lenient, max-affected=5"], "handling=lenient"),
            (["handling=strict, max-affected=5"], "handling=strict, max-affected=5"), (["anything"], nil), ([], nil),
            ([""], nil),
            (["count=estimated,missing=null"], "missing=null, count=estimated"), (["Return=Representation"], nil),
        ] as [([String], String?)])
    func preferences(headers: [String], applied: String?) {
        #expect(RowPreferences(headers: headers).applied == applied)
    }

    @Test("Strict handling refuses unknown preferences")
    func strictness() throws {
        #expect(throws: Never.self) { try RowPreferences(headers: ["foo, bar"]).checked() }
        #expect(throws: Never.self) {
            try RowPreferences(headers: ["handling=strict, max-affected=3, timezone=UTC, tx=commit"]).checked()
        }
        let error = RowError(
            400, "PGRST122", "Invalid preferences given with handling=strict",
            details: "Invalid preferences: foo, bar=1")
        #expect(throws: error) { try RowPreferences(headers: ["handling=strict, foo", "bar=1"]).checked() }
    }

    @Test(
        "Accept chooses the form",
        arguments: [
            (nil, .array), ("", .array), ("*/*", .array), ("application/json", .array), ("application/*", .array),
            ("application/vnd.pgrst.object+json", .object), ("application/vnd.pgrst.object", .object),
            ("APPLICATION/VND.PGRST.OBJECT+JSON; charset=utf-8", .object), ("text/html, */*;q=0.1", .array),
            ("application/json;q=0.5, application/vnd.pgrst.object+json", .object),
            ("text/xml, application/vnd.pgrst.object+json", .object), ("text/csv", .csv),
            ("text/csv; charset=utf-8, application/json;q=0.5", .csv),
        ] as [(String?, RowForm)])
    func forms(accept: String?, form: RowForm) throws {
        #expect(try RowForm(accept: accept) == form)
    }

    @Test(
        "Other types cannot be answered", arguments: ["text/xml", "image/png, text/html;q=0.3", "application/json;q=0"])
    func otherForms(accept: String) {
        let error = #expect(throws: RowError.self) { try RowForm(accept: accept) }
        #expect(error?.status == 406)
        #expect(error?.code == "PGRST107")
    }

    private static func body(_ text: String, type: String? = nil, columns: [String]? = nil) throws -> RowBody {
        try RowBody(parsing: Array(text.utf8), type: type, columns: columns)
    }

    @Test("A body is an object or an array of objects with the same keys")
    func bodies() throws {
        let one = try Self.body(#"{"b": 1, "a": null}"#, type: "application/json; charset=utf-8")
        #expect(one.keys == ["a", "b"])
        #expect(one.rows == [["a": .null, "b": .integer(1)]])
        let two = try Self.body(#"[{"a": 1}, {"a": 2}]"#)
        #expect(two.rows == [["a": .integer(1)], ["a": .integer(2)]])
        #expect(try Self.body("[]").rows.isEmpty)
        #expect(try Self.body("{}").rows == [[:]])
        #expect(try Self.body("5").rows.isEmpty)
    }

    @Test("Columns name the keys to take")
    func chosenColumns() throws {
        let body = try Self.body(#"[{"a": 1, "x": 2}, {"b": 3}]"#, columns: ["a", "b", "a"])
        #expect(body.keys == ["a", "b"])
        #expect(body.rows == [["a": .integer(1)], ["b": .integer(3)]])
    }

    @Test(
        "What is no body is refused",
        arguments: [
            ("", "Empty or invalid json"), ("{", "Empty or invalid json"),
            ("[{\"a\": 1}, {}]", "All object keys must match"),
            ("[{\"a\": 1}, {\"b\": 1}]", "All object keys must match"), ("[1]", "All object keys must match"),
        ])
    func badBodies(text: String, message: String) {
        #expect(throws: RowError(400, "PGRST102", message)) { try Self.body(text) }
    }

    @Test("A body of another type is refused")
    func otherBodies() {
        #expect(throws: RowError(400, "PGRST102", "Content-Type not acceptable: text/csv")) {
            try Self.body("a\n1", type: "text/csv")
        }
    }
}
