/// The secrets by which the service makes cookies, refresh tokens, keys and signed addresses: the newest one makes them, and what older
/// ones have made still counts.
public struct Secrets: Sendable {
    private let reading: @Sendable (_ isFresh: Bool) -> [[UInt8]]

    /// Secrets of at least 32 bytes each, the newest first.
    ///
    /// - Parameter reading: gives at least one. It may remember them for a second, unless it is asked for fresh ones.
    public init(_ reading: @escaping @Sendable (_ isFresh: Bool) -> [[UInt8]]) { self.reading = reading }

    /// One secret of at least 32 bytes, which stays.
    public init(_ secret: [UInt8]) {
        precondition(secret.count >= 32)
        self.init { _ in [secret] }
    }

    /// The secret that makes things now.
    public var newest: [UInt8] { reading(false)[0] }

    /// What the body makes of the first secret of which it makes something, from the newest to the oldest one.
    ///
    /// Before it gives up it looks for secrets that another process has added.
    public func first<Value>(_ body: ([UInt8]) -> Value?) -> Value? {
        let known = reading(false)
        for secret in known {
            if let value = body(secret) { return value }
        }
        for secret in reading(true) where !known.contains(secret) {
            if let value = body(secret) { return value }
        }
        return nil
    }
}
