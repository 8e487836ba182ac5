public import Linux

/// A promise that was not fulfilled in time.
public struct NotFulfilled: Error {}

extension Promise {
    /// Waits for the value, for at most a minute: a test that fails before it opens a gate leaves nothing waiting.
    ///
    /// - Throws: `NotFulfilled` after that time.
    @discardableResult
    public func value(within patience: Duration = .seconds(60)) throws -> Value {
        guard let value = wait(until: Time.monotonic + patience) else { throw NotFulfilled() }
        return value
    }
}

/// Waits until a condition holds.
///
/// - Parameter patience: far more time than it takes on a busy machine.
/// - Returns: whether it holds.
public func eventually(within patience: Duration = .seconds(60), _ holds: () throws -> Bool) rethrows -> Bool {
    let end = Time.monotonic + patience
    while try !holds() {
        if Time.monotonic >= end { return false }
        Time.sleep(.milliseconds(1))
    }
    return true
}
