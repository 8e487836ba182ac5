/// The secrets by which the service makes cookies, refresh tokens, keys and signed addresses. One secret makes them;
/// what the others made is valid as well.
public struct Secrets: Sendable {
    private let reading: @Sendable () -> [[UInt8]]

    /// Secrets of at least 32 bytes each.
    ///
    /// - Parameter reading: returns the secrets in use, at least one; the first makes new things.
    public init(_ reading: @escaping @Sendable () -> [[UInt8]]) { self.reading = reading }

    /// One secret of at least 32 bytes, which does not change.
    public init(_ secret: [UInt8]) {
        precondition(secret.count >= 32)
        self.init { [secret] }
    }

    /// The current secrets, for a request that uses them many times: each read makes threads wait for each other.
    public var snapshot: Secrets {
        let secrets = reading()
        return Secrets { secrets }
    }

    /// The secret that makes things now.
    public var making: [UInt8] { reading()[0] }

    /// The body's result for the first secret that gives one.
    public func first<Value>(_ body: ([UInt8]) -> Value?) -> Value? {
        for secret in reading() {
            if let value = body(secret) { return value }
        }
        return nil
    }
}
