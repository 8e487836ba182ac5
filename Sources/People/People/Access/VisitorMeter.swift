internal import Synchronization

/// Limits what is made at once for visitors: people who have a link or a signed address, and need no account.
/// Thread-safe.
///
/// One link has a limit, and all visitors together have another. So neither one link nor all of them displace people
/// who have signed in. Each process counts on its own.
public final class VisitorMeter: Sendable {
    private let mostOfLink: Int
    private let most: Int
    private let state = Mutex(State())

    /// The most requests that wait for a turn.
    private static let mostWaiting = 256
    private static let pause = Duration.seconds(1)

    private enum Outcome: Sendable {
        case admitted, refused
    }

    private struct Waiter {
        let id: Int
        let link: String
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var running: [String: Int] = [:]
        var count = 0
        /// The longest wait first.
        var waiting: [Waiter] = []
        var nextID = 0
    }

    /// A meter with a limit per link, and one of all links together. The defaults leave most of a machine of two
    /// processors to people who have signed in, and no link takes all that visitors have.
    public init(perLink mostOfLink: Int = 2, total most: Int = 4) {
        precondition(mostOfLink > 0 && most > 0)
        self.mostOfLink = mostOfLink
        self.most = most
    }

    /// Waits for a turn. Waiting holds no thread.
    ///
    /// - Parameters:
    ///   - link: what the visitor has been given.
    ///   - patience: the longest time that the visitor waits.
    /// - Throws: `tooManyRequests` while the link is at its limit; `busy` while all visitors together are.
    public func turn(of link: String, within patience: Duration) async throws(AccessError) -> MeteredTurn {
        switch await outcome(of: link, within: patience) {
        case .admitted: return MeteredTurn { [self] in end(link) }
        case .refused:
            let isLinks = state.withLock { $0.running[link, default: 0] >= mostOfLink }
            throw isLinks ? .tooManyRequests(retryAfter: Self.pause) : .busy(retryAfter: Self.pause)
        }
    }

    private func outcome(of link: String, within patience: Duration) async -> Outcome {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Outcome? in
                    if begin(link, &state) { return .admitted }
                    guard patience > .zero, state.waiting.count < Self.mostWaiting else { return .refused }
                    state.waiting.append(Waiter(id: id, link: link, continuation: continuation))
                    return nil
                }
                if let known { return continuation.resume(returning: known) }
                timer = Task { [weak self] in
                    do { try await Task.sleep(for: patience) } catch { return }
                    self?.giveUp(id)
                }
                // A cancellation before this point found nothing to give up.
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Takes a place if there is one.
    private func begin(_ link: String, _ state: inout State) -> Bool {
        guard state.count < most, state.running[link, default: 0] < mostOfLink else { return false }
        state.count += 1
        state.running[link, default: 0] += 1
        return true
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: .refused)
    }

    private func end(_ link: String) {
        let next = state.withLock { state -> Waiter? in
            state.count -= 1
            state.running[link] = state.running[link].flatMap { $0 > 1 ? $0 - 1 : nil }
            // One place is free, so at most one begins.
            guard let index = state.waiting.firstIndex(where: { begin($0.link, &state) }) else { return nil }
            return state.waiting.remove(at: index)
        }
        next?.continuation.resume(returning: .admitted)
    }
}
