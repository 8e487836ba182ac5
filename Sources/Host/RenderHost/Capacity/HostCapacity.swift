internal import Linux
internal import Media
internal import Synchronization

/// The share of the machine that a host's tasks have together: their admission, and the renderers' control group.
///
/// Both are created for the first renderer or task, or refused once for all: a cached answer never asks how much memory
/// the machine has.
final class HostCapacity: Sendable {
    private let capacity: Capacity
    private let state = Mutex(State())

    private struct State {
        var admission: Admission?
        var hasTriedGroup = false
        var group: Result<RendererGroup, Failure>?
        var isClosed = false
    }

    init(_ capacity: Capacity) { self.capacity = capacity }

    /// The gate that every task passes.
    ///
    /// - Throws: `cancelled` after `close()`; `unavailable` if the control group is required but not available.
    func admission() throws(Failure) -> Admission {
        try state.withLock { state in
            Result { () throws(Failure) in
                if state.isClosed { throw Failure(.cancelled) }
                return try equip(&state)
            }
        }.get()
    }

    /// The control group for a renderer that starts now; `nil` if there is none.
    ///
    /// - Throws: `unavailable` if the group is required but not available.
    func group() throws(Failure) -> RendererGroup? {
        // Without a group, only tasks need to know how much memory there is.
        if capacity.controlGroup == .no { return nil }
        return try state.withLock { state in
            Result { () throws(Failure) in
                _ = try equip(&state)
                return try? state.group?.get()
            }
        }.get()
    }

    private func equip(_ state: inout State) throws(Failure) -> Admission {
        let admission = state.admission ?? Admission(capacity)
        state.admission = admission
        if capacity.controlGroup != .no, !state.hasTriedGroup {
            // Tried once: a refused attempt has already moved this process, and a second attempt would be refused for
            // another reason.
            state.hasTriedGroup = true
            guard capacity.controlGroup == .yes || ControlGroup.isDelegated else { return admission }
            state.group = Result { () throws(Failure) in
                try RendererGroup(capacity, memoryByteCount: admission.byteCount)
            }
        }
        if case .failure(let failure) = state.group, capacity.controlGroup == .yes { throw failure }
        return admission
    }

    /// The number of processes of the control group that the kernel has killed for lack of memory; 0 without a group.
    var outOfMemoryCount: Int { (try? state.withLock { $0.group }?.get())?.outOfMemoryCount ?? 0 }

    /// The number of tasks that are admitted now.
    var runningCount: Int { state.withLock { $0.admission }?.runningCount ?? 0 }

    /// The number of tasks that wait for admission.
    var lineLength: Int { state.withLock { $0.admission }?.lineLength ?? 0 }

    /// Refuses the waiting tasks and all later ones.
    func close() {
        let admission = state.withLock { state in
            state.isClosed = true
            return state.admission
        }
        admission?.close()
    }

    /// Refuses the waiting tasks, and lets admitted tasks run until `deadline`.
    func drain(until deadline: Duration) {
        guard let admission = state.withLock({ $0.admission }) else { return }
        admission.close()
        while admission.runningCount > 0, Time.monotonic < deadline { Time.sleep(.milliseconds(2)) }
    }
}
