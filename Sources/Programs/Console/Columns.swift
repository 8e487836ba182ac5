/// Lines of a table.
package enum Columns {
    /// Texts side by side, each at least as wide as said, with two spaces between; a newline at the end.
    package static func line(_ cells: [(text: String, width: Int)]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell.text
            if index < cells.count - 1 {
                line += String(repeating: " ", count: max(0, cell.width - cell.text.count) + 2)
            }
        }
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
