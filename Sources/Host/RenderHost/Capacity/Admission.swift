internal import Linux
package import Media
internal import Synchronization

/// Admits as many tasks as fit into the machine's memory; the others wait.
///
/// Within a class, tasks are admitted in order, and the classes take turns: a flood of one class does not keep the
/// others out.
package final class Admission: Sendable {
    /// The memory for all tasks together, in bytes.
    package let byteCount: UInt64
    private let waitingCount: Int
    private let placeCount: Int
    private let state: Mutex<State>

    private struct State {
        var freeByteCount: UInt64
        var freePlaces: Int
        var waiting: [RendererClass: [Waiter]] = [:]
        /// The class whose turn it is comes first.
        var turns = RendererClass.allCases
        var isClosed = false
    }

    private final class Waiter: Sendable {
        let byteCount: UInt64
        /// `false` if the host or the task was cancelled.
        let isAdmitted = Promise<Bool>()

        init(byteCount: UInt64) { self.byteCount = byteCount }
    }

    /// An admission with the memory that `capacity` names, or half of the machine's.
    package init(_ capacity: Capacity) {
        byteCount = capacity.memoryByteCount ?? MachineMemory.byteCount / 2
        waitingCount = capacity.waitingCount
        placeCount = max(1, capacity.childCount)
        state = Mutex(State(freeByteCount: byteCount, freePlaces: placeCount))
    }

    /// Runs `body` when the task is admitted.
    ///
    /// - Parameters:
    ///   - byteCount: the maximum memory that the task may take; not more than `byteCount` of the admission, or it
    ///     never fits.
    ///   - cancellation: removes the task from the queue before its turn.
    /// - Throws: `unavailable` if too many are already waiting; `cancelled` if the task or the host was cancelled in
    ///   the meantime.
    package func admitting<Value>(
        _ rendererClass: RendererClass, reserving byteCount: UInt64, until cancellation: Cancellation? = nil,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try enter(rendererClass, Waiter(byteCount: byteCount), until: cancellation)
        defer { leave(byteCount) }
        return try body()
    }

    /// The number of tasks that are admitted now.
    package var runningCount: Int { state.withLock { placeCount - $0.freePlaces } }

    /// The number of waiting tasks.
    package var lineLength: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Refuses the waiting tasks and all later ones.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.flatMap { $0 }
        }
        for waiter in waiters { waiter.isAdmitted.fulfil(false) }
    }

    private func enter(
        _ rendererClass: RendererClass, _ waiter: Waiter, until cancellation: Cancellation?
    ) throws(Failure) {
        let isFull = state.withLock { state in
            if state.isClosed {
                waiter.isAdmitted.fulfil(false)
                return false
            }
            state.waiting[rendererClass, default: []].append(waiter)
            Self.admit(&state)
            guard state.waiting[rendererClass]!.count > waitingCount else { return false }
            state.waiting[rendererClass]!.removeLast()
            return true
        }
        if isFull { throw Self.busy }
        cancellation?.add(waiter) { [self] in dismiss(waiter, of: rendererClass) }
        defer { cancellation?.remove(waiter) }
        guard waiter.isAdmitted.wait() else { throw Failure(.cancelled) }
    }

    /// Removes a task from the queue if it still waits: the tasks behind it may fit now.
    private func dismiss(_ waiter: Waiter, of rendererClass: RendererClass) {
        let isWaiting = state.withLock { state in
            guard let index = state.waiting[rendererClass]?.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiting[rendererClass]!.remove(at: index)
            Self.admit(&state)
            return true
        }
        if isWaiting { waiter.isAdmitted.fulfil(false) }
    }

    private func leave(_ byteCount: UInt64) {
        state.withLock { state in
            state.freeByteCount += byteCount
            state.freePlaces += 1
            Self.admit(&state)
        }
    }

    /// Admits tasks in turn until one does not fit: no task overtakes it.
    private static func admit(_ state: inout State) {
        while let turn = state.turns.firstIndex(where: { state.waiting[$0]?.isEmpty == false }) {
            let rendererClass = state.turns[turn]
            let waiter = state.waiting[rendererClass]![0]
            guard state.freePlaces > 0, state.freeByteCount >= waiter.byteCount else { return }
            state.freePlaces -= 1
            state.freeByteCount -= waiter.byteCount
            state.waiting[rendererClass]!.removeFirst()
            state.turns.append(state.turns.remove(at: turn))
            waiter.isAdmitted.fulfil(true)
        }
    }

    private static var busy: Failure {
        Failure(.unavailable, message: "Too many files are waiting to be opened. Try again later.")
    }
}
