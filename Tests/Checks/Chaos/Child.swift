import CLinux
import Linux

/// A process that this run has started.
final class Child {
    let processID: pid_t
    private var status: Int32?

    /// - Parameter log: where standard output and error go; `nil`: nowhere.
    init(_ program: String, _ arguments: [String], log: String? = nil) throws(SystemError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for number: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, number, log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        }
        var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var processID = pid_t()
        let result = posix_spawn(&processID, program, &actions, nil, &texts, clinux_environment())
        guard result == 0 else { throw SystemError("posix_spawn \(program)", number: result) }
        self.processID = processID
    }

    func send(_ signal: Int32) { if !hasEnded { _ = kill(processID, signal) } }

    /// Whether it has ended; then it is reaped.
    var hasEnded: Bool {
        if status != nil { return true }
        var status: Int32 = 0
        if waitpid(processID, &status, WNOHANG) == processID { self.status = status }
        return self.status != nil
    }

    /// Whether it has stopped since the last look.
    var hasStopped: Bool {
        var change = siginfo_t()
        return waitid(P_PID, id_t(processID), &change, WSTOPPED | WNOHANG) == 0 && change.si_signo == SIGCHLD
    }

    /// Waits for its end until a moment of the monotonic clock.
    func ends(by deadline: Duration) -> Bool {
        while !hasEnded {
            if Time.monotonic >= deadline { return false }
            Time.sleep(.milliseconds(5))
        }
        return true
    }

    /// Its exit status; `nil` while it runs, or where a signal ended it.
    var exitStatus: Int32? { hasEnded && status! & 0x7F == 0 ? status! >> 8 & 0xFF : nil }

    var wasKilled: Bool { hasEnded && status! & 0x7F == SIGKILL }

    /// Runs a program to its end.
    static func finish(_ program: String, _ arguments: [String]) throws(SystemError) -> Int32 {
        let child = try Child(program, arguments)
        while !child.hasEnded { Time.sleep(.milliseconds(1)) }
        return child.exitStatus ?? -1
    }
}
