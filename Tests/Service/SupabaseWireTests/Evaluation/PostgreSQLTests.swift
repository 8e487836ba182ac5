import Foundation
import HTTPSyntax
import Media
import SupabaseWire
import TestDeadline
import TestSupport
import Testing

/// The evaluator's answers to random queries beside those of a PostgreSQL 15, which `Tests/Service/wire/postgresql_cases.py`
/// has written down.
@Suite(.deadline) struct PostgreSQLTests {
    private struct Rows: RowSource {
        let documents: [[RowValue]]
        let schools: [[RowValue]]
        let shares: [[RowValue]]

        func rows(of table: RowTable) -> [[RowValue]] {
            switch table.name {
            case "documents": documents
            case "schools": schools
            case "document_shares": shares
            default: []
            }
        }
    }

    private let rows: Rows
    private let queries: [JSON]

    init() throws {
        let path = "\(Checkout.folder)/Tests/Service/SupabaseWireTests/Evaluation/postgresql.json"
        // The parser's own bounds on nesting hold.
        let file = try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        let documents = try #require(file["documents"]?.array)
        rows = Rows(
            documents: try Self.rows(
                documents, of: .documents,
                [
                    "id", "user_id", "type", "title", "description", "version", "school_id", "is_current",
                    "shared_with_schools", "created_at",
                ]),
            schools: try Self.rows(file["schools"]?.array, of: .schools, ["id", "user_id", "name", "created_at"]),
            shares: try Self.rows(
                file["shares"]?.array, of: .documentShares, ["id", "document_id", "school_id", "permission"]))
        queries = try #require(file["queries"]?.array)
    }

    private static func rows(_ rows: [JSON]?, of table: RowTable, _ columns: [String]) throws -> [[RowValue]] {
        try #require(rows).map { row in
            try table.columns.map { column in
                guard let index = columns.firstIndex(of: column.name) else { return .null }
                return try column.type.value(of: #require(row.array)[index])
            }
        }
    }

    private func answer(to query: JSON) throws -> JSON {
        let text = try #require(query["query"]?.string)
        do throws(RowError) {
            guard let items = QueryItems(text) else { return .null }
            let parsed = try RowQuery(parsing: items)
            let plan = try RowPlan(parsed, of: .documents)
            let selected = try plan.select(from: rows)
            let page = try parsed.root.range.resolved(header: nil, maximum: nil).apply(to: selected)
            if query["ids"] != nil {
                return .array(page.map { .integer(Self.number($0.values[0])) })
            }
            var objects: [JSON] = []
            for row in page { objects.append(try plan.object(for: row)) }
            return .array(objects)
        } catch {
            return .string(error.code)
        }
    }

    /// The number that the last digits of an identity say.
    private static func number(_ id: RowValue) -> Int64 {
        (id.text.flatMap { Int64($0.suffix(12), radix: 16) } ?? 0) - 1000
    }

    @Test("Random queries have PostgreSQL's answers")
    func answers() throws {
        #expect(queries.count >= 500)
        var differing: [String] = []
        for query in queries {
            let expected = query["ids"] ?? query["rows"] ?? query["code"]
            let answer = try answer(to: query)
            if answer != expected {
                let text = query["query"]?.string ?? ""
                differing.append("\(text)\n  here: \(answer.text)\n  PostgreSQL: \(expected?.text ?? "")")
            }
        }
        #expect(
            differing.isEmpty,
            "\(differing.count) of \(queries.count):\n\(differing.prefix(20).joined(separator: "\n"))")
    }
}
