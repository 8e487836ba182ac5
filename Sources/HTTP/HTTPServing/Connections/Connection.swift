internal import HTTPSyntax
internal import Linux
internal import NIOCore
internal import Synchronization

/// An open connection, as its channel's handler and its requests see it.
final class Connection: Sendable {
    let channel: any Channel
    /// `nil` for a local socket.
    let peer: IPAddress?
    private let state = Mutex(State())

    private struct State {
        /// Requests that were answered or are being answered.
        var begunCount = 0
        /// Requests that were received completely.
        var receivedCount = 0
        /// Requests that are being answered, in order: the next may begin before the end of an answer has been sent.
        var exchanges: [Exchange] = []
        var hasEnded = false
        /// Whether its channel is closed, so that no further answer is sent.
        var isClosed = false
        var onDeparture: (@Sendable () -> Void)?
        /// Whether the handler is being called.
        var isCalling = false
    }

    init(_ channel: any Channel) {
        self.channel = channel
        peer = IPAddress(of: channel)
    }

    /// Records that the next request of this connection is about to be answered.
    ///
    /// - Returns: its place among the requests of this connection.
    func begin(_ exchange: Exchange) -> Int {
        let (place, isClosed) = state.withLock { state in
            if !state.isClosed { state.exchanges.append(exchange) }
            defer { state.begunCount += 1 }
            return (state.begunCount, state.isClosed)
        }
        if isClosed { exchange.finish(isWhole: false) }
        return place
    }

    /// Ends all requests, because the channel is closed. A request that begins later ends at once.
    func close() {
        let exchanges = state.withLock { state in
            state.isClosed = true
            defer { state.exchanges = [] }
            return state.exchanges
        }
        for exchange in exchanges { exchange.finish(isWhole: false) }
    }

    /// The request whose answer is being written.
    var exchange: Exchange? { state.withLock { $0.exchanges.first } }

    /// Ends the request whose answer is being written, and returns it.
    func takeExchange() -> Exchange? {
        state.withLock { $0.exchanges.isEmpty ? nil : $0.exchanges.removeFirst() }
    }

    /// Whether answers to earlier requests have not yet reached the channel's handler because its event loop is busy.
    var isBehind: Bool { state.withLock { $0.exchanges.count > 1 } }

    /// Waits until the socket has taken everything written to this connection so far.
    ///
    /// A write of the server returns earlier: it enqueues the bytes for the event loop, however many wait there. This
    /// wait cannot be cancelled; `ConnectionLimits.writeStallTime` limits it.
    /// - Throws: the channel's error if the connection has ended.
    func departure() async throws {
        try await channel.triggerUserOutboundEvent(ConnectionWatch.Departure()).get()
    }

    func noteReceived() { state.withLock { $0.receivedCount += 1 } }

    /// Whether the request with this place was received to the end of its body.
    func hasReceived(_ place: Int) -> Bool { state.withLock { $0.receivedCount > place } }

    /// Whether the client has closed its side.
    var hasLeft: Bool { state.withLock { $0.hasEnded } }

    /// Sets what is called when the client leaves, at most once; called at once if it has left.
    fileprivate func setDepartureHandler(_ handler: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.onDeparture = handler }
            return state.hasEnded
        }
        if hasEnded { handler() }
    }

    /// Removes the handler. After this returns, no call of it begins or is still running.
    fileprivate func removeDepartureHandler() {
        let isCalling = { [self] in
            state.withLock { state in
                state.onDeparture = nil
                return state.isCalling
            }
        }
        // The call cancels a task, which takes microseconds.
        while isCalling() { Time.sleep(.microseconds(20)) }
    }

    /// Records that the client has closed its side.
    func end() {
        // Called without the lock: a cancelled task may close the channel, which calls this again.
        let handler = state.withLock { state in
            state.hasEnded = true
            state.isCalling = state.isCalling || state.onDeparture != nil
            defer { state.onDeparture = nil }
            return state.onDeparture
        }
        guard let handler else { return }
        handler()
        state.withLock { $0.isCalling = false }
    }
}

extension Connection? {
    /// Runs the operation, and cancels its task when the client leaves; at once if it has left.
    func cancellingAtDeparture<Value>(_ operation: () async throws -> Value) async throws -> Value {
        guard let self else { return try await operation() }
        return try await withUnsafeCurrentTask { task in
            // Safe: the handler is removed before the scope of the task ends, and no call of it is running after that.
            nonisolated(unsafe) let task = task
            self.setDepartureHandler { task?.cancel() }
            defer { self.removeDepartureHandler() }
            return try await operation()
        }
    }
}
