internal import Linux

/// What one query may cost, over all its rows.
struct Effort {
    /// Steps, of about a twentieth of a microsecond.
    private var left = 20_000_000
    private let end = Time.monotonic + Self.longest
    private let hasReaderLeft: () -> Bool

    /// A query that waits for others' is stopped all the same.
    private static let longest: Duration = .seconds(8)
    private static let stepsBetweenLooks = 100_000

    /// - Parameter hasReaderLeft: whether nobody waits for the answer any more.
    init(until hasReaderLeft: @escaping () -> Bool) { self.hasReaderLeft = hasReaderLeft }

    /// - Throws: `57014` when nothing is left, as a database does after its statement's time.
    mutating func spend(_ steps: Int) throws(RowError) {
        let before = left / Self.stepsBetweenLooks
        left -= steps
        if left < 0 { throw .tooLong }
        guard left / Self.stepsBetweenLooks != before else { return }
        if hasReaderLeft() { throw .clientLeft }
        if Time.monotonic >= end { throw .tooLong }
    }
}
