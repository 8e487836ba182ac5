/// The secrets by which the service makes cookies, refresh tokens, keys and signed addresses: one of them makes them, and what others have
/// made counts as well.
public struct Secrets: Sendable {
    private let reading: @Sendable () -> [[UInt8]]

    /// Secrets of at least 32 bytes each.
    ///
    /// - Parameter reading: gives those that count now, at least one, the one that makes things first.
    public init(_ reading: @escaping @Sendable () -> [[UInt8]]) { self.reading = reading }

    /// One secret of at least 32 bytes, which stays.
    public init(_ secret: [UInt8]) {
        precondition(secret.count >= 32)
        self.init { [secret] }
    }

    /// The secrets that count now, for a request that uses them many times: reading them each time makes threads wait for each other.
    public var snapshot: Secrets {
        let secrets = reading()
        return Secrets { secrets }
    }

    /// The secret that makes things now.
    public var making: [UInt8] { reading()[0] }

    /// What the body makes of the first secret of which it makes something.
    public func first<Value>(_ body: ([UInt8]) -> Value?) -> Value? {
        for secret in reading() {
            if let value = body(secret) { return value }
        }
        return nil
    }
}
