internal import Synchronization

/// Bounds how many things of a kind each caller has at once, and all callers together: uploads, archives, streams of events. Each process
/// counts for itself. Safe for several threads.
public final class ConcurrencyMeter: Sendable {
    private let most: Int
    private let mostOfAll: Int
    private let running = Mutex<[String: Int]>([:])

    /// A meter of so many things of one caller.
    ///
    /// - Parameter mostOfAll: how many there are of all callers.
    public init(atOnce most: Int, ofAll mostOfAll: Int = .max) { (self.most, self.mostOfAll) = (most, mostOfAll) }

    /// Runs the body as one of the caller's things. The operator's key has no bound.
    ///
    /// - Throws: `tooManyRequests`, or what the body throws.
    public func run<Value>(
        of caller: Caller?, from client: String, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let party = caller.party(from: client) else { return try await body() }
        let turn = try begin(party)
        defer { turn.end() }
        return try await body()
    }

    /// Begins one of the caller's things.
    ///
    /// - Parameter name: a person, or a client's network.
    /// - Throws: `tooManyRequests`; `busy` where all callers together have as many as may be.
    public func begin(_ name: String) throws(AccessError) -> MeteredTurn {
        let refusal = running.withLock { running -> AccessError? in
            if running[name, default: 0] >= most { return .tooManyRequests(retryAfter: .seconds(1)) }
            if mostOfAll < .max, running.values.reduce(0, +) >= mostOfAll { return .busy(retryAfter: .seconds(1)) }
            running[name, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return MeteredTurn { [self] in end(name) }
    }

    private func end(_ name: String) {
        running.withLock { running in
            running[name] = running[name].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }
}

extension ConcurrencyMeter? {
    /// Runs the body as one of the caller's uploads where the route takes files and there is a bound.
    public func run<Value>(
        _ rule: RouteRule, of caller: Caller?, from client: String, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let self, rule.takesFile else { return try await body() }
        return try await self.run(of: caller, from: client, body)
    }
}
