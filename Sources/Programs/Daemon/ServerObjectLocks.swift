package import Database
internal import Linux
package import Objects

/// The locks of an object store on a database server, for several hosts.
package final class ServerObjectLocks: ObjectLocks {
    private let locks: NamedLocks

    /// Locks that nothing in this process holds yet.
    package init(_ address: Address) { locks = NamedLocks(address) }

    private final class Held: ObjectLock {
        let lock: NamedLocks.Lock

        init(_ lock: NamedLocks.Lock) { self.lock = lock }

        var isHeld: Bool { lock.isHeld }
    }

    /// Asks again every 20 ms.
    package func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)? {
        let deadline = Time.monotonic + patience
        while true {
            do throws(PostgreSQLError) {
                if let lock = try locks.take(name) { return Held(lock) }
            } catch {
                throw .unavailable(detail: "locks: \(error)")
            }
            guard Time.monotonic < deadline else { return nil }
            Time.sleep(.milliseconds(20))
        }
    }
}
