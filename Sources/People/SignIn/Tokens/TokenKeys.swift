internal import Linux
internal import Synchronization

/// The keys that verify tokens: a shared secret, and the issuer's public keys, which are fetched and renewed.
///
/// `run` renews them periodically, and after a pause when a token names an unknown key. So nobody can make the service
/// fetch them all the time. A renewal that fails leaves the keys unchanged.
public final class TokenKeys: Sendable {
    /// Fetches the set of public keys (RFC 7517) from where it is published.
    public typealias Fetching = @Sendable () async throws -> [UInt8]

    /// The result of a renewal.
    public enum Outcome: Sendable {
        /// There is a set of `keyCount` keys: the first one, or another than before.
        case changed(keyCount: Int)
        /// The set was not available. The previous keys, if any, stay.
        case failed(reason: String)
    }

    private let secret: TokenKey?
    private let fetching: Fetching?
    private let clock: @Sendable () -> Duration
    private let pace: Pace
    private let tick: Duration
    private let report: @Sendable (Outcome) -> Void
    private let state = Mutex(State())
    private let wakeup = Wakeup()

    /// How often keys are renewed.
    public struct Pace: Sendable {
        /// The time between renewals.
        let period: Duration
        /// The least time between a renewal and one for an unknown key, and between a failed one and the next one.
        let pause: Duration

        /// For keys that another machine publishes: an hour, and five minutes.
        public static let address = Pace(period: .seconds(3600), pause: .seconds(300))
        /// For keys in a file of this machine: ten seconds, and one.
        public static let file = Pace(period: .seconds(10), pause: .seconds(1))
    }

    /// The time between attempts while there are no keys at all.
    static let startPause = Duration.seconds(5)

    private struct State {
        var keys: [TokenKey] = []
        var text: [UInt8]?
        var number = 0
        /// When the last renewal began, by the monotonic clock.
        var begun: Duration?
        var isRenewing = false
        /// Why the last renewal failed; `nil` if it did not.
        var failure: String?
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Keys of at least one of the two kinds.
    ///
    /// - Parameters:
    ///   - secret: at least 32 bytes (RFC 7518, 3.2).
    ///   - fetching: fetches the public keys; `nil` if there are none.
    ///   - clock: monotonic; `nil` for the machine's.
    ///   - tick: how often `run` checks the clock.
    public init(
        secret: [UInt8]?, fetching: Fetching?, pace: Pace = .address, clock: (@Sendable () -> Duration)? = nil,
        tick: Duration = .seconds(1),
        report: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) async throws {
        precondition(secret != nil || fetching != nil)
        precondition(secret.map { $0.count >= 32 } ?? true)
        if let secret { self.secret = try await .secret(secret) } else { self.secret = nil }
        self.fetching = fetching
        self.clock = clock ?? { Time.monotonic }
        self.pace = pace
        self.tick = tick
        self.report = report
    }

    /// Whether the issuer's public keys are expected, but have never been fetched.
    public var areMissing: Bool { fetching != nil && state.withLock { $0.text == nil } }

    /// Grows with each change of the keys: a token that was checked with others must be checked again.
    var number: Int { state.withLock { $0.number } }

    /// The keys that may have signed a token.
    ///
    /// - Throws: `algorithm`, `unknownKey`, `unavailable`.
    func candidates(for token: SignedToken) async throws(TokenFault) -> [TokenKey] {
        guard let algorithm = TokenAlgorithm(rawValue: token.algorithm) else { throw .algorithm }
        if algorithm == .hs256 {
            guard let secret else { throw .algorithm }
            return [secret]
        }
        guard fetching != nil else { throw .algorithm }
        if let keys = publicKeys(for: token) { return keys }
        if await hasRenewed, let keys = publicKeys(for: token) { return keys }
        throw areMissing ? .unavailable : .unknownKey
    }

    private func publicKeys(for token: SignedToken) -> [TokenKey]? {
        let found = TokenKeySet.candidates(for: token, among: state.withLock { $0.keys })
        return found.isEmpty ? nil : found
    }

    // MARK: Renewal

    /// Waits for the renewal in progress, or for a new one if it is due; `false` if it is not.
    private var hasRenewed: Bool {
        get async {
            let now = clock()
            var isDue = false
            await withCheckedContinuation { continuation in
                isDue = state.withLock { state in
                    let isTime = state.begun.map { now >= $0 + pace.pause } ?? true
                    guard !state.hasEnded, state.isRenewing || isTime && state.text != nil else { return false }
                    state.waiting.append(continuation)
                    return true
                }
                if isDue { wakeup.wake() } else { continuation.resume() }
            }
            return isDue
        }
    }

    /// Renews the keys when it is due, until the task is cancelled. Requests that wait for a renewal wait for this.
    public func run() async {
        guard fetching != nil else { return }
        while !Task.isCancelled {
            await wakeup.wait(atMost: tick)
            if isDue { await renew() }
        }
        let waiting = state.withLock { state in
            state.hasEnded = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether somebody waits for a renewal, or the last one was long ago.
    private var isDue: Bool {
        let now = clock()
        return state.withLock { state in
            guard state.waiting.isEmpty, let begun = state.begun else { return true }
            if state.text == nil { return now >= begun + Self.startPause }
            return now >= begun + (state.failure == nil ? pace.period : pace.pause)
        }
    }

    /// Fetches the keys now. `run` does so automatically; a service calls it once before.
    public func renew() async {
        guard let fetching else { return }
        let now = clock()
        state.withLock { ($0.begun, $0.isRenewing) = (now, true) }
        let outcome: Outcome?
        do {
            let text = try await fetching()
            let keys = try await TokenKeySet.keys(in: text)
            outcome = state.withLock { state in
                state.failure = nil
                guard state.text != text else { return nil }
                (state.text, state.keys) = (text, keys)
                state.number += 1
                return .changed(keyCount: keys.count)
            }
        } catch {
            let reason = "\(error)"
            outcome = state.withLock { state in
                // While there are no keys yet, attempts are so frequent that each reason is reported once.
                let isKnown = state.text == nil && state.failure == reason
                state.failure = reason
                return isKnown ? nil : .failed(reason: reason)
            }
        }
        let waiting = state.withLock { state in
            state.isRenewing = false
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
        if let outcome { report(outcome) }
    }
}
