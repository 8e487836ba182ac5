/// A progress bar on standard error, drawn only if that is a terminal.
package struct ProgressBar {
    private let total: Int
    private let isShown: Bool
    private var isDrawn = false

    /// A bar for `total` items; none is drawn for a single item.
    package init(total: Int) {
        self.total = total
        isShown = total > 1 && StandardError.isTerminal
    }

    /// Draws the bar for the number of finished items.
    package mutating func show(_ done: Int) {
        guard isShown else { return }
        let width = max(10, min(40, StandardError.columns - 20))
        let filled = width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        StandardError.draw("\r\(bar) \(done) of \(total)\u{1B}[K")
        isDrawn = true
    }

    /// Removes the bar, so that a line can be printed.
    package mutating func clear() {
        guard isDrawn else { return }
        StandardError.draw("\r\u{1B}[K")
        isDrawn = false
    }
}
