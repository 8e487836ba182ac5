public import Hummingbird

/// The party for which calls to a `BlockingPool` are made, and the context that they find on its threads.
///
/// A task-local value of a request, which its calls inherit.
public struct WorkScope: Sendable {
    /// The party that takes turns with others: a person, or a client's network. `nil` for work that belongs to nobody,
    /// such as the operator's.
    public let party: String?
    /// Runs a call in the request's context.
    let around: @Sendable (_ call: () -> Void) -> Void

    /// The scope of the task.
    @TaskLocal static var current = WorkScope(party: nil)

    /// A scope of a party.
    ///
    /// - Parameter around: runs each call on its thread. There it can set task-local values, which the thread does not
    ///   inherit.
    public init(party: String?, around: @escaping @Sendable (_ call: () -> Void) -> Void = { $0() }) {
        self.party = party
        self.around = around
    }

    /// Runs a part of a request, whose calls then belong to this scope.
    public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Runs a request's handler; what its answer reads while it is sent also belongs to this scope.
    public func respond(_ handler: () async throws -> Response) async rethrows -> Response {
        var response = try await run(handler)
        // Short answers have already been read.
        if let length = response.body.contentLength, length <= RangedFile.smallPieceByteCount { return response }
        response.body = ResponseBody(contentLength: response.body.contentLength) { [body = response.body] writer in
            try await run { try await body.write(writer) }
        }
        return response
    }
}
