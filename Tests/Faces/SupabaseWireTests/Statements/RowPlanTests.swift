import Database
import Documents
import Foundation
import HTTPSyntax
import Media
import People
import Supabase
import TestDeadline
import TestSupport
import Testing

/// How SQLite finds the rows of a person with many.
@Suite(.deadline) struct RowPlanTests {
    @Test(
        "Rows that a statement names are found by their names",
        arguments: [
            "id=eq.\(ids[0])", "id=in.(\(list))", "title=eq.a&id=in.(\(list))", "or=(id.eq.\(ids[0]),id.in.(\(list)))",
        ])
    func namedRows(filter: String) throws {
        let steps = try steps(filter)
        #expect(steps.contains("SEARCH documents USING INDEX sqlite_autoindex_documents_1 (id=?)"))
        #expect(!steps.contains { $0.contains("user_id") || $0.contains("SCAN") })
    }

    @Test("What belongs to a page of documents is found by their names")
    func relatedRows() throws {
        let steps = try steps("select=id,document_shares(id)&id=eq.\(Self.ids[0])")
        #expect(steps.contains("SEARCH d USING INDEX sqlite_autoindex_documents_1 (id=?)"))
        #expect(!steps.contains { $0.contains("user_id") })
    }

    @Test(
        "Rows that are not named are found by their person",
        arguments: ["title=eq.a", "id=neq.\(ids[0])", "or=(id.eq.\(ids[0]),title.eq.a)"])
    func otherRows(filter: String) throws {
        #expect(try steps(filter).contains { $0.contains("user_id") })
    }

    private static let ids = (1...50).map { ID<Document>.make(at: Instant(microseconds: $0)).text }
    private static let list = ids.joined(separator: ",")

    /// SQLite's plan for a query's rows, and for what belongs to them; without their array of schools.
    private func steps(_ query: String) throws -> [String] {
        let folder = TemporaryFolder.make("plans")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try SQLiteDatabase(path: "\(folder)/documents.sqlite")
        _ = try DocumentStore(database, recipes: [Preset.grid.recipe])
        let selection = query.contains("select=") ? "" : "select=id&order=id&"
        let plan = try RowPlan(RowQuery(parsing: #require(QueryItems(selection + query))), of: .documents)
        let owner = ID<Person>.make(at: Instant(microseconds: 1))
        return try TableReader(database, within: .person(owner)).explanation(plan, ids: Self.ids)
    }
}
