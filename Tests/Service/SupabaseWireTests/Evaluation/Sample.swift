import Documents
import HTTPSyntax
import Media
import SupabaseWire
import Testing

/// Five documents, two schools and three shares.
struct Sample: RowSource {
    var title: String?

    static func id(_ number: Int) -> RowValue { .uuid("00000000-0000-4000-8000-00000000000\(number)") }

    private static func moment(_ text: String) -> RowValue {
        Instant(text).map(RowValue.timestamp) ?? .null
    }

    func rows(of table: RowTable) -> [[RowValue]] {
        switch table.name {
        case "documents": (0..<5).map(document)
        case "schools":
            [("Ohio State", 0), ("Academy", 1)].map { name, number in
                [Self.id(number), Self.id(9), .text(name), Self.moment("2025-01-01"), .null]
            }
        case "document_shares":
            [(0, 0, "view"), (1, 0, "edit"), (1, 1, "view")].enumerated().map { number, share in
                [Self.id(number), Self.id(share.0), Self.id(share.1), .text(share.2), Self.moment("2025-01-01")]
            }
        default: []
        }
    }

    private func document(_ number: Int) -> [RowValue] {
        let lists: [RowValue] = [
            .array([.text("a")]), .array([.text("a"), .text("b c")]), .array([]), .array([.text("a"), .null]), .null,
        ]
        let truths: [RowValue] = [.boolean(true), .boolean(false), .boolean(true), .boolean(false), .null]
        let titles = ["Alpha 1", "beta", "c,d", "Résumé", "100%_x"]
        return [
            Self.id(number), Self.id(9), .text("resume"), .text(title ?? titles[number]),
            number == 2 ? .text("x") : .null, .text("https://files/\(number)"), .text("application/pdf"),
            .integer([1, 2, 3, 1, 17][number]), number < 3 ? Self.id(number % 2) : .null, truths[number], lists[number],
            Self.id(9), Self.moment("2025-0\(number + 1)-01T00:00:00"), Self.moment("2025-06-01T09:00:00.12Z"),
        ]
    }

    /// The rows of documents that a query selects, as digits in their order.
    static func selected(
        _ query: String, title: String? = nil, until hasReaderLeft: @escaping () -> Bool = { false }
    ) throws -> String {
        let items = try #require(QueryItems(query))
        let plan = try RowPlan(RowQuery(parsing: items), of: .documents)
        return try plan.select(from: Sample(title: title), until: hasReaderLeft).map {
            String(try #require($0.values[0].text).suffix(1))
        }
        .joined()
    }

    /// The objects that a query answers, as one text.
    static func answer(_ query: String, of table: RowTable = .documents) throws -> String {
        let parsed = try RowQuery(parsing: #require(QueryItems(query)))
        let plan = try RowPlan(parsed, of: table)
        let rows = try parsed.root.range.resolved(header: nil, maximum: nil).apply(to: plan.select(from: Sample()))
        return JSON.array(try rows.map { try plan.object(for: $0) }).text
    }
}
