internal import CLinux
internal import Synchronization

/// A value that one thread sets once and others wait for.
public final class Promise<Value: Sendable>: @unchecked Sendable {
    // Safe as Sendable: `value` is accessed only with `mutex` held; both primitives have a fixed (allocated) address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value?

    /// A promise without a value.
    public init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Sets the value and wakes all waiting threads; `false` if a value was set before, which stays.
    @discardableResult
    public func fulfil(_ newValue: Value) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard value == nil else { return false }
        value = newValue
        pthread_cond_broadcast(condition)
        return true
    }

    /// The value; `nil` before it is set.
    public var current: Value? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return value
    }

    /// Waits for the value; `nil` if it is not set before `deadline` on the monotonic clock.
    public func wait(until deadline: Duration) -> Value? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var time = timespec(deadline)
        while value == nil {
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
        }
        return value
    }

    /// Waits for the value without a deadline.
    public func wait() -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while value == nil { pthread_cond_wait(condition, mutex) }
        return value!
    }
}
