public import Testing

/// Limits the time of each test of a suite: a test that hangs ends the process, with a message that names it.
///
/// Swift Testing's own time limit cancels the test's task. That does not end a test that blocks its thread, or that
/// waits for a thread or a child process. `IntegrationTests` requires this trait of every suite.
public struct Deadline: SuiteTrait, TestTrait, TestScoping {
    let limit: Duration

    /// Each test has the limit, including those of nested suites.
    public var isRecursive: Bool { true }

    /// Runs one case of a test under the watchdog.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let place = Watchdog.shared.begin("\(test.id)", limit)
        defer { Watchdog.shared.end(place) }
        try await function()
    }
}

extension Trait where Self == Deadline {
    /// The usual limit, of five minutes: far more than any test takes on a busy machine.
    public static var deadline: Self { deadline(.seconds(300)) }

    /// A limit for suites whose tests take long.
    public static func deadline(_ limit: Duration) -> Self { Deadline(limit: limit) }
}
