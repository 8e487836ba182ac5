import TestSupport

/// The table of who gets what, as the file `matrix.txt` beside this one has it.
struct AccessMatrix {
    /// A route, or one way to call it, and what each caller gets.
    struct Row {
        /// `GET /api/documents/{id}`.
        let route: String
        /// The word behind `#`.
        let variant: String
        let cells: [Cell]

        var method: String { String(route.prefix { $0 != " " }) }
        var path: String { String(route.drop { $0 != " " }.dropFirst()) }
    }

    struct Cell {
        let status: Int
        /// Whether the answer must show the owner's things.
        let shows: Bool
    }

    struct Section {
        let name: String
        let callers: [String]
        var rows: [Row] = []
    }

    private(set) var sections: [Section] = []

    /// - Throws: `Fault` for a line that is not one of the table.
    init(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            if let name = words.first, name.hasPrefix("[") {
                sections.append(Section(name: String(name.dropFirst().dropLast()), callers: Array(words.dropFirst())))
                continue
            }
            let cells = words.dropFirst(2).compactMap { word in
                Int(word.prefix(3)).map { Cell(status: $0, shows: word.hasSuffix("!")) }
            }
            guard !sections.isEmpty, words.count > 2, cells.count == sections[sections.count - 1].callers.count else {
                throw Fault(line: String(line))
            }
            let parts = words[1].split(separator: "#").map(String.init)
            let row = Row(route: "\(words[0]) \(parts[0])", variant: parts.count > 1 ? parts[1] : "", cells: cells)
            sections[sections.count - 1].rows.append(row)
        }
    }

    struct Fault: Error { let line: String }

    /// Every route that has a row.
    var routes: Set<String> { Set(sections.flatMap(\.rows).map(\.route)) }
}
