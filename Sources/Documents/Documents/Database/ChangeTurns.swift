internal import Linux
internal import Synchronization

/// Runs changes of the same name one after another in this process, in order of arrival.
///
/// Otherwise the changes of one person would wait for each other in the database, each with a connection, and ahead of
/// everybody else's.
final class ChangeTurns: Sendable {
    /// The waiting changes by name. A name that nobody holds has no entry.
    private let waiting = Mutex<[String: [Promise<Void>]]>([:])

    /// Runs `body` once it holds all names.
    ///
    /// - Parameter names: sorted, so that no two calls wait for each other.
    func run<Answer>(of names: [String], _ body: () throws -> Answer) throws -> Answer {
        guard let name = names.first else { return try body() }
        begin(name)
        defer { end(name) }
        return try run(of: Array(names.dropFirst()), body)
    }

    private func begin(_ name: String) {
        let turn = waiting.withLock { waiting -> Promise<Void>? in
            guard waiting[name] != nil else {
                waiting[name] = []
                return nil
            }
            let turn = Promise<Void>()
            waiting[name]?.append(turn)
            return turn
        }
        turn?.wait()
    }

    private func end(_ name: String) {
        let next = waiting.withLock { waiting -> Promise<Void>? in
            guard waiting[name]?.isEmpty == false else {
                waiting[name] = nil
                return nil
            }
            return waiting[name]?.removeFirst()
        }
        next?.fulfil(())
    }
}
