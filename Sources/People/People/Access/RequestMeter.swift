internal import Media
internal import Synchronization

/// A token bucket per caller: limits a burst of requests, and refills at a steady rate. Thread-safe.
///
/// Each process counts on its own, so several processes behind a balancer multiply the limit.
public final class RequestMeter: Sendable {
    private let states = Mutex<[String: State]>([:])
    /// The requests that a caller can make at once, after a pause.
    private let most: Double
    /// The requests that are refilled each second.
    private let pace: Double

    private struct State {
        var left: Double
        var time: Duration
    }

    /// The most callers whose requests are counted separately.
    private static let mostNames = 20_000

    /// A meter of `perMinute` requests a minute, at least two; half of them may come at once.
    public convenience init(perMinute: Int) { self.init(perMinute, in: 60) }

    /// A meter of `perHour` requests an hour, at least two; half of them may come at once.
    public convenience init(perHour: Int) { self.init(perHour, in: 3600) }

    private init(_ count: Int, in seconds: Double) {
        most = Double(max(count, 2)) / 2
        pace = Double(max(count, 2)) / seconds
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - name: a person, or a client's address.
    ///   - now: the time of a monotonic clock.
    /// - Returns: how long the caller has to wait; `nil` if the request may continue.
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

    /// Removes the callers that have all requests left; if too many remain, all callers.
    private func forgetIdle(_ states: inout [String: State], at now: Duration) {
        states = states.filter { $0.value.left + max(now - $0.value.time, .zero).seconds * pace < most }
        if states.count >= Self.mostNames { states = [:] }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension RequestMeter {
    /// Counts a request of a caller: a person individually, anybody else by the address that they come from. The
    /// operator's key has no limit.
    ///
    /// - Parameter caller: `nil` if nobody is known, or no credentials were required.
    /// - Throws: `tooManyRequests`.
    public func count(_ caller: Caller?, from client: String, at now: Duration) throws(AccessError) {
        guard let party = caller.party(from: client) else { return }
        if let wait = wait(for: party, at: now) { throw .tooManyRequests(retryAfter: wait) }
    }
}

extension Caller? {
    /// The party that a caller's requests count for, and in whose turn its calls run: a person individually, anybody
    /// else by network. `nil` for the operator and the one local person, who have no limit and take no turns.
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
    /// The caller whom the body finds. If it throws, the request counts for its address, so guessing credentials is
    /// limited too.
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
