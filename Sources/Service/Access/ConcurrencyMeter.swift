internal import Documents
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

    /// One of the things that a caller does at once. It ends by `end`, and at the latest when nobody has it any more.
    public final class Turn: Sendable {
        private let meter: ConcurrencyMeter
        private let name: Mutex<String?>

        fileprivate init(_ meter: ConcurrencyMeter, _ name: String) {
            self.meter = meter
            self.name = Mutex(name)
        }

        deinit { end() }

        /// Lets the caller begin another one.
        public func end() {
            let name = name.withLock { name in
                defer { name = nil }
                return name
            }
            if let name { meter.end(name) }
        }
    }

    /// Begins one of the caller's things.
    ///
    /// - Parameter name: a person, or a client's network.
    /// - Throws: `tooManyRequests`; `busy` where all callers together have as many as may be.
    public func begin(_ name: String) throws(AccessError) -> Turn {
        let refusal = running.withLock { running -> AccessError? in
            if running[name, default: 0] >= most { return .tooManyRequests(retryAfter: .seconds(1)) }
            if mostOfAll < .max, running.values.reduce(0, +) >= mostOfAll { return .busy(retryAfter: .seconds(1)) }
            running[name, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return Turn(self, name)
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
