import CLinux
import Linux

/// A program that a test runs beside itself.
struct ChildProgram {
    private let process: pid_t

    init(_ arguments: [String]) throws(SystemError) {
        var process = pid_t()
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let result = posix_spawn(&process, arguments[0], nil, nil, &pointers, [nil])
        guard result == 0 else { throw SystemError("posix_spawn", number: result) }
        self.process = process
    }

    func kill() { CLinux.kill(process, SIGKILL) }

    /// Waits for the end; the exit status, or the signal's number and 128.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
