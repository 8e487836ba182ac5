import Foundation
import Media
import RowTables
import Supabase
import TestDeadline
import TestSupport
import Testing

/// Answers to random queries beside those of a PostgreSQL 15 to the same questions in its own words, which
/// `Tests/Faces/wire/postgresql_cases.py` has written down.
@Suite(.deadline) struct RecordedAnswerTests {
    private let rows: RowDatabase
    private let queries: [JSON]

    init() throws {
        let path = "\(Checkout.folder)/Tests/Faces/SupabaseWireTests/Statements/postgresql.json"
        // The parser's own bounds on nesting hold.
        let file = try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        rows = try RowDatabase { tables in
            for row in try Self.rows(
                file["documents"]?.array, of: .documents,
                [
                    "id", "user_id", "type", "title", "description", "version", "school_id", "is_current",
                    "shared_with_schools", "created_at",
                ])
            {
                try tables.insert(row, into: .documents, owner: Sample.owner)
            }
            for row in try Self.rows(file["schools"]?.array, of: .schools, ["id", "user_id", "name", "created_at"]) {
                try tables.insert(row, into: .schools, owner: Sample.owner)
            }
            for row in try Self.rows(
                file["shares"]?.array, of: .documentShares, ["id", "document_id", "school_id", "permission"])
            {
                try tables.insert(row, into: .documentShares, owner: Sample.owner)
            }
        }
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
        do {
            let objects = try rows.objects(text)
            return .array(query["ids"] == nil ? objects : objects.map { .integer(Self.number($0["id"])) })
        } catch let error as RowError {
            return .string(error.code)
        }
    }

    /// The number that the last digits of an identity say.
    private static func number(_ id: JSON?) -> Int64 {
        (id?.string.flatMap { Int64($0.suffix(12), radix: 16) } ?? 0) - 1000
    }

    @Test("Rows as CSV are PostgreSQL's texts of them")
    func lines() throws {
        var count = 0
        for query in queries {
            guard let text = query["query"]?.string, let lines = query["csv"]?.string else { continue }
            #expect(try rows.lines(text) == lines, "\(text)")
            count += 1
        }
        #expect(count >= 50)
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
