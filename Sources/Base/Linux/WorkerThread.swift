internal import CLinux
internal import Synchronization

/// A thread that runs one closure.
public final class WorkerThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Mutex(false)

    /// Starts `body` on a new thread with all signals blocked: the main thread handles signals.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let box = Unmanaged.passRetained(Body(name: name, run: body))
        var thread = pthread_t()
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        // The thread's own calls raise SIGSYS: if blocked, it would end the process before a handler could name the
        // call.
        sigdelset(&all, SIGSYS)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let result = pthread_create(
            &thread, nil,
            { argument in
                let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
                clinux_name_thread(String(body.name.prefix(15)))
                body.run()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw SystemError("pthread_create", number: result)
        }
        self.thread = thread
    }

    /// Waits for the end of the closure; may be called once.
    public func join() {
        let isFirst = isJoined.withLock { joined in
            defer { joined = true }
            return !joined
        }
        if isFirst { pthread_join(thread, nil) }
    }

    deinit {
        if !isJoined.withLock({ $0 }) { pthread_detach(thread) }
    }

    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}
