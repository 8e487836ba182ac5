import CLinux
import Linux
import Testing

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
    func ended() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// flock(1), holding the lock file at `path` for as long as `command` runs; returns when it has the lock.
    static func holding(_ path: String, _ command: [String]) throws -> ChildProgram {
        let child = try ChildProgram(["/usr/bin/flock", "--no-fork", path] + command)
        let limit = Time.monotonic + .seconds(10)
        while try ChildProgram(["/usr/bin/flock", "-n", "-s", "-E", "9", path, "/bin/true"]).ended() != 9 {
            try #require(Time.monotonic < limit, "the other program takes the lock")
            Time.sleep(.milliseconds(10))
        }
        return child
    }
}
