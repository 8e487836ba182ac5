/// A bar on standard error, drawn on a terminal only and gone when the work is done.
package struct ProgressBar {
    private let total: Int
    private let isShown: Bool
    private var isDrawn = false

    /// A bar for so many things; for one alone none is drawn.
    package init(total: Int) {
        self.total = total
        isShown = total > 1 && StandardError.isTerminal
    }

    /// Draws how many are done.
    package mutating func show(_ done: Int) {
        guard isShown else { return }
        let width = max(10, min(40, StandardError.columns - 20))
        let filled = width * done / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        StandardError.draw("\r\(bar) \(done) of \(total)\u{1B}[K")
        isDrawn = true
    }

    /// Takes the bar away, so that a line can be printed.
    package mutating func clear() {
        guard isDrawn else { return }
        StandardError.draw("\r\u{1B}[K")
        isDrawn = false
    }
}
