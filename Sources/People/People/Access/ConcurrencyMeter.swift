internal import Synchronization

/// Limits how many things of a kind each caller has at once, and all callers together: uploads, archives, event
/// streams. Each process counts on its own. Thread-safe.
public final class ConcurrencyMeter: Sendable {
    private let most: Int
    private let mostOfAll: Int
    private let running = Mutex<[String: Int]>([:])

    /// A meter with a limit per caller.
    ///
    /// - Parameter mostOfAll: the limit of all callers together.
    public init(atOnce most: Int, ofAll mostOfAll: Int = .max) { (self.most, self.mostOfAll) = (most, mostOfAll) }

    /// Runs the body as one of the caller's things. The operator's key has no limit.
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
    /// - Throws: `tooManyRequests`; `busy` if all callers together have reached their limit.
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
    /// Runs the body as one of the caller's uploads if the route takes files and there is a limit.
    public func run<Value>(
        _ rule: RouteRule, of caller: Caller?, from client: String, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let self, rule.takesFile else { return try await body() }
        return try await self.run(of: caller, from: client, body)
    }
}
