/// A thread's sleep until the store has changed.
public protocol StoreListener: Sendable {
    /// Waits for a change by any process.
    ///
    /// - Returns: `false` where only `limit` has passed.
    func wait(atMost limit: Duration) throws(DocumentError) -> Bool
}
