internal import Linux
internal import Synchronization

/// Named locks, for stores that have none of their own. They exclude other threads; a driver on a database also
/// excludes other processes and hosts.
public protocol ObjectLocks: Sendable {
    /// Takes a lock, and holds it until the result is released or its process ends.
    ///
    /// - Parameter patience: how long to wait for it.
    /// - Returns: `nil` if another holder has it all that time.
    /// - Throws: `unavailable` if it is unknown who holds the lock.
    func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)?
}

/// A lock that is held while this object exists, and while any server behind it keeps it.
public protocol ObjectLock: AnyObject, Sendable {
    /// Whether nobody else can have held the lock since it was taken; may ask a server. Once `false`, it stays `false`.
    var isHeld: Bool { get }
}

extension ObjectLock {
    /// `true`: a lock on this machine ends with this object or this process.
    public var isHeld: Bool { true }
}

/// Locks between the threads of this process.
public final class LocalObjectLocks: ObjectLocks {
    private let held = HeldNames()

    /// Starts with no lock held.
    public init() {}

    /// Retries every 5 ms.
    public func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)? {
        let deadline = Time.monotonic + patience
        while !held.add(name) {
            guard Time.monotonic < deadline else { return nil }
            Time.sleep(.milliseconds(5))
        }
        return Lock(name, held)
    }

    private final class HeldNames: Sendable {
        /// As bytes: two names are the same only if their bytes are.
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
