internal import CLinux
package import Linux

/// What another program of this installation printed, and how it ended.
package struct ProgramOutput: Sendable {
    /// The exit status; 128 plus the signal's number for a program that a signal ended.
    package let status: Int32
    /// Standard output and standard error in the order of arrival, at most 64 KiB.
    package let text: String

    /// Runs a program with this process's environment, and waits for its end.
    ///
    /// - Throws: the kernel's error if the program cannot be started.
    package init(of program: String, _ arguments: [String]) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        try checking("pipe") {
            withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) }
        }
        let (reading, writing) = (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
        _ = clinux_fcntl(reading.number, F_SETFD, Int(FD_CLOEXEC))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, writing.number, number) }
        posix_spawn_file_actions_addclose(&actions, writing.number)
        var texts: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var processID: pid_t = 0
        let result = posix_spawn(&processID, program, &actions, nil, &texts, clinux_environment())
        guard result == 0 else { throw SystemError("posix_spawn \(program)", number: result) }
        self = try Self.ending(processID, reading, consume writing)
    }

    private init(status: Int32, text: String) {
        self.status = status
        self.text = text
    }

    private static func ending(
        _ processID: pid_t, _ reading: Descriptor, _ writing: consuming Descriptor
    ) throws(SystemError) -> ProgramOutput {
        // Only the program keeps a copy then: when it ends, the reading ends.
        _ = consume writing
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = read(reading.number, &part, part.count), count > 0 {
            bytes += part[..<count].prefix(max(0, (64 << 10) - bytes.count))
        }
        let end = ProcessEnd(reaping: processID)
        return ProgramOutput(
            status: end.signal == 0 ? end.status : 128 + end.signal, text: String(decoding: bytes, as: UTF8.self))
    }
}
