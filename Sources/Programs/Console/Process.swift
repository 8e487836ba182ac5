internal import CLinux
package import Linux
package import Media

/// This process: its signals, its streams, its end.
package enum Process {
    /// A closed pipe is an error that a write reports, not a signal.
    package static func prepare() { clinux_ignore_signal(SIGPIPE) }

    /// Flushes what is printed and ends the process.
    package static func exit(_ status: Int32) -> Never {
        StandardOutput.flush()
        _exit(status)
    }

    /// Ends the process at once, from any thread; what is not flushed is not printed.
    package static func leave(_ status: Int32) -> Never { _exit(status) }

    /// From now on the first Ctrl-C (or SIGTERM) runs `onInterrupt` on a thread of its own; a second one ends at once.
    package static func interrupts(_ onInterrupt: @escaping @Sendable () -> Void) throws(SystemError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        _ = try WorkerThread(name: "signals") {
            var signals = waited
            var number: Int32 = 0
            sigwait(&signals, &number)
            onInterrupt()
            sigwait(&signals, &number)
            _exit(130)
        }
    }

    /// The program's arguments, each as a path's carrier (`FilePath.carrier`): what is no UTF-8 in them is not lost.
    package static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map {
            FilePath(UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:))).carrier
        }
    }

    /// The environment as a dictionary; of two equal names the first counts, as for `getenv`. What is no UTF-8 stands as a
    /// path's carrier.
    package static var environment: [String: String] {
        var values: [String: String] = [:]
        guard var next = clinux_environment() else { return values }
        while let entry = next.pointee {
            let text =
                String(validatingCString: entry)
                ?? FilePath(UnsafeBufferPointer(start: entry, count: strlen(entry)).map(UInt8.init(bitPattern:)))
                .carrier
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, values[String(parts[0])] == nil { values[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return values
    }

    /// How many processors there are; at least one.
    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// Standard output, buffered; results only.
package enum StandardOutput {
    /// Only the main thread prints.
    nonisolated(unsafe) private static var buffer: [UInt8] = []

    /// Whether a person looks at it as it comes.
    package static var isTerminal: Bool { isatty(1) == 1 }

    /// Prints a text, at once on a terminal.
    package static func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 16 << 10 || isTerminal { flush() }
    }

    /// Prints a path, on a terminal as `FilePath.shown` has it, else byte for byte; what follows it sends it on its way.
    package static func write(_ path: FilePath) {
        buffer += isTerminal ? Array(path.shown.utf8) : path.bytes
    }

    /// Prints a file's paths: on one line, or each with a zero byte behind it, and nothing replaced.
    package static func write(_ paths: [FilePath], endingEachWithZero: Bool) {
        for (index, path) in paths.enumerated() {
            if endingEachWithZero {
                buffer += path.bytes + [0]
            } else {
                write(path)
                buffer.append(UInt8(ascii: index < paths.count - 1 ? "\t" : "\n"))
            }
        }
        write("")
    }

    /// Prints bytes at once.
    package static func write(_ bytes: [UInt8]) {
        buffer += bytes
        flush()
    }

    /// A reader that has left wants no more: the program ends there, without complaint.
    package static func flush() {
        var done = 0
        while done < buffer.count {
            let count = buffer[done...].withUnsafeBytes { CLinux.write(1, $0.baseAddress, $0.count) }
            if count < 0 {
                if clinux_errno() == EINTR { continue }
                let isClosed = clinux_errno() == EPIPE
                if !isClosed { StandardError.write("compass: \(SystemError.last("write to standard output"))\n") }
                _exit(isClosed ? 0 : 3)
            }
            done += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Standard error: one write a line, so that lines of many processes do not mix.
package enum StandardError {
    /// Whether a person looks at it.
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// The terminal's width, or 0.
    package static var columns: Int { Int(clinux_terminal_columns(2)) }

    /// Writes a text at once; what would steer a terminal is escaped, but for the ends of lines.
    package static func write(_ text: String) { draw(Printable.lines(text)) }

    /// Writes a text at once as it is, for what is to steer the terminal.
    static func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = CLinux.write(2, $0.baseAddress, $0.count) }
    }
}

extension Failure {
    /// What follows the program's or file's name: the message for a person, and what the library said.
    package var line: String { detail.isEmpty ? message : "\(message) [\(code.rawValue): \(detail)]" }

    /// The failure in `--json`.
    package var json: JSON {
        .object([
            "code": .string(code.rawValue), "message": .string(message),
            "detail": detail.isEmpty ? nil : .string(detail),
        ])
    }
}
