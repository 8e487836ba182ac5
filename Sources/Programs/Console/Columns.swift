/// Lays out the lines of a table.
package enum Columns {
    /// One line: the cells side by side, padded to their widths and two spaces apart, and a newline.
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
