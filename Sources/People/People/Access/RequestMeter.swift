internal import Media
internal import Synchronization

/// Bounds how many requests each caller makes: so many at once, which come back at a steady pace. Safe for several threads.
///
/// Each process counts for itself, so behind a balancer the bound is as many times as large.
public final class RequestMeter: Sendable {
    private let states = Mutex<[String: State]>([:])
    /// The requests that a caller has at once, after a pause.
    private let most: Double
    /// The requests that come back each second.
    private let pace: Double

    private struct State {
        var left: Double
        var time: Duration
    }

    /// More callers than these are not told apart.
    private static let mostNames = 20_000

    /// A meter of so many requests a minute, half of which may come at once; at least two.
    public convenience init(perMinute: Int) { self.init(perMinute, in: 60) }

    /// A meter of so many an hour, half of which may come at once; at least two.
    public convenience init(perHour: Int) { self.init(perHour, in: 3600) }

    private init(_ count: Int, in seconds: Double) {
        most = Double(max(count, 2)) / 2
        pace = Double(max(count, 2)) / seconds
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - name: a person, or a client's address.
    ///   - now: by a clock that does not jump.
    /// - Returns: how long the caller has to wait; `nil` where the request may go on.
    public func wait(for name: String, at now: Duration) -> Duration? {
        states.withLock { states in
            if states.count >= Self.mostNames, states[name] == nil { forgetIdle(&states, at: now) }
            var state = states[name] ?? State(left: most, time: now)
            let passed = max(now - state.time, .zero)
            state.left = min(most, state.left + passed.seconds * pace)
            state.time = now
            defer { states[name] = state }
            guard state.left >= 1 else { return .seconds((1 - state.left) / pace) }
            state.left -= 1
            return nil
        }
    }

    /// Forgets whoever has all requests left; where everybody is busy, all.
    private func forgetIdle(_ states: inout [String: State], at now: Duration) {
        states = states.filter { $0.value.left + max(now - $0.value.time, .zero).seconds * pace < most }
        if states.count >= Self.mostNames { states = [:] }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension RequestMeter {
    /// Counts a request of a caller: a person by themselves, anybody else by the address that they come from. The operator's key
    /// has no bound.
    ///
    /// - Parameter caller: `nil` where nobody is known, or nobody was asked for credentials.
    /// - Throws: `tooManyRequests`.
    public func count(_ caller: Caller?, from client: String, at now: Duration) throws(AccessError) {
        guard let party = caller.party(from: client) else { return }
        if let wait = wait(for: party, at: now) { throw .tooManyRequests(retryAfter: wait) }
    }
}

extension Caller? {
    /// By whom a caller's requests are counted, and whose turn it is when its calls run: a person by themselves, anybody else by the
    /// network that they come from; `nil` for the operator and the one local person, who have no bound and take no turns.
    public func party(from client: String) -> String? {
        if self == .local { return nil }
        return switch self?.role {
        case .operator: nil
        case .person: self?.actor.text
        case .anonymous, nil: client
        }
    }
}

extension RequestMeter? {
    /// The caller whom the body finds. Where it throws, the request counts for its address: whoever tries credentials is bounded too.
    ///
    /// - Throws: `tooManyRequests`, or what the body throws.
    public func identified(
        from client: String, at now: Duration, _ body: () async throws -> Caller?
    ) async throws -> Caller? {
        do {
            return try await body()
        } catch {
            try self?.count(nil, from: client, at: now)
            throw error
        }
    }
}
