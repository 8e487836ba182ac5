public import Hummingbird

/// On whose behalf calls to a `BlockingPool` are made, and what they find on its threads.
///
/// A value of a request's task, which its calls take along.
public struct WorkScope: Sendable {
    /// Who takes turns with others: a person, or a client's network. `nil` for what is nobody's, as the operator's work.
    public let party: String?
    /// Runs a call with what belongs to the request.
    let around: @Sendable (_ call: () -> Void) -> Void

    /// The scope of the task.
    @TaskLocal static var current = WorkScope(party: nil)

    /// A scope of a party.
    ///
    /// - Parameter around: runs each call on its thread: there it can set values of the task, which a thread does not know.
    public init(party: String?, around: @escaping @Sendable (_ call: () -> Void) -> Void = { $0() }) {
        self.party = party
        self.around = around
    }

    /// Runs a part of a request, whose calls then belong to this scope.
    public func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Runs a request's handler; what its answer reads while it is sent belongs to this scope, too.
    public func respond(_ handler: () async throws -> Response) async rethrows -> Response {
        var response = try await run(handler)
        // Short answers have been read.
        if let length = response.body.contentLength, length <= RangedFile.smallPieceByteCount { return response }
        response.body = ResponseBody(contentLength: response.body.contentLength) { [body = response.body] writer in
            try await run { try await body.write(writer) }
        }
        return response
    }
}
