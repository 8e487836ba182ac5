import Database
import Foundation
import HTTPSyntax
import Media
import People
import RowTables
import Supabase
import TestSupport

/// Queries of rows as clients of PostgREST send them, over a database of a few rows.
enum RowTargets {
    static func query(_ bytes: [UInt8]) throws(Broken) {
        guard let items = QueryItems(String(decoding: bytes, as: UTF8.self)) else { return }
        guard let query = try accepted({ () throws(RowError) in try RowQuery(parsing: items) }) else { return }
        _ = try accepted { () throws(RowError) in try query.root.range.resolved(header: items["range"], maximum: 1000) }
        for table in RowTable.all {
            guard let plan = try accepted({ () throws(RowError) in try RowPlan(query, of: table) }) else { continue }
            guard let rows = try rows(plan) else { continue }
            try holds(rows.count <= rowCount, "rows that were not there")
            var writer = RowWriter(plan) { path, _ in path }
            for row in rows { _ = try accepted { () throws(RowError) in try writer.object(for: row) } }
            try opposite(query, rows.count, table)
        }
    }

    private static func rows(_ plan: RowPlan) throws(Broken) -> [SelectedRow]? {
        try accepted { () throws(RowError) in try reader.rows(plan, range: RowRange()) }
    }

    /// A row fulfils a condition, or its opposite, or neither where something is unknown; never both.
    private static func opposite(_ query: RowQuery, _ count: Int, _ table: RowTable) throws(Broken) {
        var other = query
        other.root.condition = .all([.not(query.root.condition)])
        guard let plan = try? RowPlan(other, of: table), let others = try rows(plan) else { return }
        try holds(count + others.count <= rowCount, "a row that fulfils a condition and its opposite")
    }

    /// The value, or `nil` where the request is refused as requests are. A statement that the database refuses is a fault: it would be 503.
    private static func accepted<Value>(_ work: () throws(RowError) -> Value) throws(Broken) -> Value? {
        do throws(RowError) {
            return try work()
        } catch {
            // The time may end: 500.
            try holds((400...416).contains(error.status) || error.code == "57014", "a refusal: \(error)")
            try holds(!error.message.isEmpty, "a refusal without a word")
            return nil
        }
    }

    private static let rowCount = 4
    private static let folder = TemporaryFolder.make("rows")

    /// The rows, in a file that goes with the process.
    private static let reader: TableReader = {
        atexit { try? FileManager.default.removeItem(atPath: RowTargets.folder) }
        do {
            let database = try SQLiteDatabase(path: "\(folder)/rows.sqlite")
            let tables = try RowTables(database)
            for table in RowTable.all {
                for number in 0..<rowCount {
                    try tables.insert(
                        table.columns.map { value($0, number) }, into: table,
                        owner: "00000000-0000-4000-8000-000000000001")
                }
            }
            return TableReader(database, within: .everybody)
        } catch {
            preconditionFailure("\(folder): \(error)")
        }
    }()

    private static func value(_ column: RowTable.Column, _ number: Int) -> RowValue {
        if number == 3, column.isNullable { return .null }
        return switch column.type {
        case .uuid: .uuid("00000000-0000-4000-8000-00000000000\(number)")
        case .text: .text(["résumé 2025", "", "a,b(c)"][number % 3])
        case .integer: .integer(Int64(number))
        case .boolean: .boolean(number == 1)
        case .timestamp: .timestamp(Instant(microseconds: 1_700_000_000_000_000 + Int64(number)))
        case .texts: .texts(["a", "b c"])
        }
    }

    static var queries: [[UInt8]] {
        [
            "select=*,schools(name)&user_id=eq.00000000-0000-4000-8000-000000000001&order=created_at.desc&limit=50",
            "type=in.(resume,%22a,b%22)&or=(title.ilike.*a*,and(version.gt.1,not.description.is.null))",
            "title=like.*r_s%C3%A9s*%5C%25*&id=not.eq.x", "title=like(any).{a*,%22b%20c%22}",
            "shared_with_schools=cs.{a,%22b%20c%22}&not.or=(is_current.is.true,school_id.is.null)&columns=%22a%22",
            "select=id::text,x:version::bool,document_shares!inner(*,schools(name))&document_shares.permission=eq.view",
            "order=schools(name).desc.nullslast,id&select=id,schools()&schools=not.is.null&offset=1&limit=x",
            "created_at=gte.2025-01-01T00:00:00.5%2B01:00&created_at=isdistinct.infinity&variables-%3E%3E0=eq.a",
            "title=ilike.*re*&range=0-9&schools.order=name&schools.limit=1",
        ].map { Array($0.utf8) }
    }
}
