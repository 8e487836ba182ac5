import Linux

/// A text that takes time to make, for any number of clients: only one is made at a time, and callers that ask
/// meanwhile share the next one.
actor SharedText {
    private let make: @Sendable () -> String
    private var made: Task<String, Never>?
    /// Begins after `made` has ended.
    private var next: Task<String, Never>?

    /// - Parameter make: may block; it runs on its own thread.
    init(making make: @escaping @Sendable () -> String) { self.make = make }

    /// The text as it is now, or becomes while the caller waits.
    var current: String {
        get async {
            let next = self.next ?? following(made)
            self.next = next
            return await next.value
        }
    }

    private func following(_ last: Task<String, Never>?) -> Task<String, Never> {
        Task {
            _ = await last?.value
            (made, next) = (next, nil)
            return await Self.onThread(make)
        }
    }

    /// A blocking body would block the server's own threads.
    private static func onThread(_ body: @escaping @Sendable () -> String) async -> String {
        await withCheckedContinuation { continuation in
            let thread = try? WorkerThread(name: "answer") { continuation.resume(returning: body()) }
            if thread == nil { continuation.resume(returning: body()) }
        }
    }
}
