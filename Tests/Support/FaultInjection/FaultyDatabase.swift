package import Database

/// A database whose transactions fail according to a plan: before they begin, or after their commit, whose answer is
/// then lost.
package final class FaultyDatabase: SQLDatabase {
    private let base: any SQLDatabase
    private let plan: FaultPlan

    /// The error of a failed transaction.
    private struct Fault: SQLFault {
        let trouble = SQLTrouble.other
        var description: String { "the test's own fault" }
    }

    /// Puts the plan in front of a database.
    package init(_ base: any SQLDatabase, _ plan: FaultPlan) {
        self.base = base
        self.plan = plan
    }

    package var dialect: SQLDialect { base.dialect }
    package var commitOutcomeUnknown: Bool { true }
    package var microseconds: Int64 { base.microseconds }
    package var changeNumber: Int64 { base.changeNumber }

    package func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], within limit: SQLLimit?, mayRetry: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        if plan.isFault() { throw Fault() }
        let answer = try base.perform(kind, locks, within: limit, mayRetry: mayRetry, body)
        if case .reading = kind { return answer }
        if plan.isFault() { throw Fault() }
        return answer
    }

    package func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try base.migration(body)
    }

    package func send(_ signal: SQLSignal) { base.send(signal) }

    package func makeListener(_ signal: SQLSignal) throws -> any SQLListener { try base.makeListener(signal) }

    package func tidy() throws { try base.tidy() }

    package func structureFaults(in session: any SQLSession) throws -> [String] {
        try base.structureFaults(in: session)
    }
}
