internal import Linux
internal import Synchronization

/// Locks by name, for stores that have none of their own: "one at a time" between threads, and with a driver over a database also
/// between processes and hosts.
public protocol ObjectLocks: Sendable {
    /// Takes a lock, which is held until the result is released, or its process ends.
    ///
    /// - Parameter patience: how long to wait for it.
    /// - Returns: `nil` where somebody else has it all that time.
    /// - Throws: `unavailable` where nobody can tell.
    func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)?
}

/// A lock that is held as long as this object lives, and whatever keeps it elsewhere.
public protocol ObjectLock: AnyObject, Sendable {
    /// Whether nobody else can have had it since it was taken; may ask a server. Once `false`, it stays so.
    var isHeld: Bool { get }
}

extension ObjectLock {
    /// A lock of this machine ends with this object or this process.
    public var isHeld: Bool { true }
}

/// Locks between the threads of this process.
public final class LocalObjectLocks: ObjectLocks {
    private let held = HeldNames()

    /// No lock is held.
    public init() {}

    /// Asks again every 5 ms.
    public func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)? {
        let deadline = Time.monotonic + patience
        while !held.add(name) {
            guard Time.monotonic < deadline else { return nil }
            Time.sleep(.milliseconds(5))
        }
        return Lock(name, held)
    }

    private final class HeldNames: Sendable {
        /// As bytes: two names are one only if their bytes are.
        private let names = Mutex<Set<[UInt8]>>([])

        func add(_ name: String) -> Bool { names.withLock { $0.insert(Array(name.utf8)).inserted } }

        func remove(_ name: String) { names.withLock { _ = $0.remove(Array(name.utf8)) } }
    }

    private final class Lock: ObjectLock {
        private let name: String
        private let held: HeldNames

        init(_ name: String, _ held: HeldNames) {
            self.name = name
            self.held = held
        }

        deinit { held.remove(name) }
    }
}
