import Foundation
import TestSupport

/// ARCHITECTURE.md's table of modules: the floor of each, and what it may import.
struct ModuleTable {
    /// A line of the table, for one module or several that stand together.
    struct Entry {
        let floor: String
        let imports: Set<String>
    }

    /// From the ground up, in the table's order.
    let floors: [String]
    let entries: [String: Entry]

    /// Throws where ARCHITECTURE.md cannot be read.
    init() throws {
        let text = try String(contentsOfFile: "\(Checkout.folder)/ARCHITECTURE.md", encoding: .utf8)
        var floors: [String] = []
        var entries: [String: Entry] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            // `floor/`, modules, what they are, what they may import.
            guard cells.count == 4, cells[0].hasSuffix("/`") else { continue }
            let floor = String(cells[0].dropFirst().dropLast(2))
            if floors.last != floor { floors.append(floor) }
            for module in Self.names(in: cells[1]) {
                entries[module] = Entry(floor: floor, imports: Set(Self.names(in: cells[3])))
            }
        }
        self.floors = floors
        self.entries = entries
    }

    /// What stands between backticks.
    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    /// How high the floor of a module of ours lies; `nil` for those of others.
    func height(of module: String) -> Int? {
        entries[module].flatMap { floors.firstIndex(of: $0.floor) }
    }
}
