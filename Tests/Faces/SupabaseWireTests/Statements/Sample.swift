import Database
import Foundation
import HTTPServing
import HTTPSyntax
import Media
import People
import PostgreSQLSupport
import RowTables
import Supabase
import TestSupport
import Testing

/// A database with rows of a test: a file, or with `COMPASS_TEST_DATABASE=postgresql` one on the tests' server.
final class RowDatabase: Sendable {
    private let folder = TemporaryFolder.make("rows")
    private let scratch: ScratchDatabase?
    private let database: any SQLDatabase

    init(_ fill: (RowTables) throws -> Void) throws {
        scratch = TestServer.isWanted ? try ScratchDatabase() : nil
        database = try scratch?.database ?? SQLiteDatabase(path: "\(folder)/rows.sqlite")
        try fill(try RowTables(database))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A reader for one request: all that it reads has to be there within seconds.
    var reader: TableReader { TableReader(database, within: .everybody) }

    /// A reader for another reach, or whose reader has left.
    func reader(within reach: Reach, hasClientLeft: Bool = false) -> TableReader {
        TableReader(database, within: reach, hasClientLeft: { hasClientLeft })
    }

    /// The objects that a query answers.
    func objects(_ query: String, of table: RowTable = .documents) throws -> [JSON] {
        try #require(JSON(parsing: answer(query, of: table).bytes).array)
    }

    /// The lines of CSV that a query answers.
    func lines(_ query: String, of table: RowTable = .documents) throws -> String {
        String(decoding: try answer(query, of: table, as: .csv).bytes, as: UTF8.self)
    }

    /// What a query answers.
    func answer(
        _ query: String, of table: RowTable = .documents, as form: RowForm = .array, memory: AnswerMemory = .shared
    ) throws -> AnswerBody {
        let parsed = try RowQuery(parsing: #require(QueryItems(query)))
        let plan = try RowPlan(parsed, of: table)
        let range = try parsed.root.range.resolved(header: nil, maximum: 1000)
        let answer = try RowAnswer.read(
            reader.rows(plan, range: range), of: nil, plan: plan, range: range, form: form,
            preferences: RowPreferences(headers: []), memory: memory, address: { path, _ in path })
        return try #require(answer.body)
    }
}

/// Five documents, two schools and three shares of one person.
enum Sample {
    static let owner = "00000000-0000-4000-8000-000000000009"

    static let shared = Result {
        try RowDatabase { tables in
            for number in 0..<5 { try tables.insert(document(number), into: .documents, owner: owner) }
            for (name, number) in [("Ohio State", 0), ("Academy", 1)] {
                try tables.insert(
                    [id(number), id(9), .text(name), moment("2025-01-01"), moment("2025-01-01")], into: .schools,
                    owner: owner)
            }
            for (number, share) in [(0, 0, "view"), (1, 0, "edit"), (1, 1, "view")].enumerated() {
                try tables.insert(
                    [id(number), id(share.0), id(share.1), .text(share.2), moment("2025-01-01")], into: .documentShares,
                    owner: owner)
            }
        }
    }

    private static func id(_ number: Int) -> RowValue { .uuid("00000000-0000-4000-8000-00000000000\(number)") }

    private static func moment(_ text: String) -> RowValue { Instant(text).map(RowValue.timestamp) ?? .null }

    private static func document(_ number: Int) -> [RowValue] {
        let lists: [[String?]] = [["a"], ["a", "b c"], [], ["a", "x"], []]
        return [
            id(number), id(9), .text("resume"), .text(["Alpha 1", "beta", "c,d", "Résumé", "100%_x"][number]),
            number == 2 ? .text("x") : .null, .text("https://files/\(number)"), .text("application/pdf"),
            .integer([1, 2, 3, 1, 17][number]), number < 3 ? id(number % 2) : .null,
            .boolean([true, false, true, false, false][number]), .texts(lists[number]), id(9),
            moment("2025-0\(number + 1)-01T00:00:00"), moment("2025-06-01T09:00:00.12Z"),
        ]
    }

    /// The rows of documents that a query selects, as digits in their order.
    static func selected(_ query: String) throws -> String {
        let plan = try RowPlan(RowQuery(parsing: #require(QueryItems(query))), of: .documents)
        return try shared.get().reader.rows(plan, range: RowRange()).map { String($0.id.suffix(1)) }.joined()
    }

    /// The objects that a query answers, as one text.
    static func answer(_ query: String, of table: RowTable = .documents) throws -> String {
        String(decoding: try shared.get().answer(query, of: table).bytes, as: UTF8.self)
    }
}
