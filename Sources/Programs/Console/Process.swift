internal import CLinux
package import Linux
package import Media

/// This process: its signals, arguments, environment and end.
package enum Process {
    /// Ignores SIGPIPE, so that a write to a closed pipe returns an error.
    package static func prepare() { clinux_ignore_signal(SIGPIPE) }

    /// Flushes standard output and ends the process.
    package static func exit(_ status: Int32) -> Never {
        StandardOutput.flush()
        _exit(status)
    }

    /// Ends the process at once, from any thread; buffered output is lost.
    package static func leave(_ status: Int32) -> Never { _exit(status) }

    /// From now on the first Ctrl-C, SIGTERM or SIGHUP runs `onInterrupt` on its own thread; the second ends the
    /// process.
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

    /// The program's arguments, each as a path's carrier (`FilePath.carrier`), which keeps bytes that are not UTF-8.
    package static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map {
            FilePath(UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:))).carrier
        }
    }

    /// The environment variables. Of two with one name the first counts, as for `getenv`; an entry that is not UTF-8 is
    /// a path's carrier.
    package static let environment: [String: String] = {
        var values: [String: String] = [:]
        guard var next = clinux_environment() else { return values }
        while let entry = next.pointee {
            if let sign = strchr(entry, Int32(UInt8(ascii: "="))) {
                let name = text(of: UnsafeBufferPointer(start: entry, count: sign - entry))
                if values[name] == nil {
                    values[name] = text(of: UnsafeBufferPointer(start: sign + 1, count: strlen(sign + 1)))
                }
            }
            next += 1
        }
        return values
    }()

    private static func text(of bytes: UnsafeBufferPointer<CChar>) -> String {
        String(validating: bytes, as: UTF8.self) ?? FilePath(bytes.map(UInt8.init(bitPattern:))).carrier
    }

    /// The number of processors; at least one.
    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// Standard output, buffered, for results only.
package enum StandardOutput {
    /// Only the main thread prints.
    nonisolated(unsafe) private static var buffer: [UInt8] = []

    /// Whether a person reads the output as it is printed, because it is a terminal.
    package static var isTerminal: Bool { isatty(1) == 1 }

    /// Prints a text; on a terminal at once.
    package static func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 16 << 10 || isTerminal { flush() }
    }

    /// Adds a path to the buffer: quoted as by `FilePath.shown` on a terminal, otherwise byte for byte.
    package static func write(_ path: FilePath) {
        buffer += isTerminal ? Array(path.shown.utf8) : path.bytes
    }

    /// Prints the paths of one file: on one line separated by tabs, or each byte for byte and followed by a zero byte.
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

    /// Prints bytes and flushes the buffer.
    package static func write(_ bytes: [UInt8]) {
        buffer += bytes
        flush()
    }

    /// Writes the buffer. If the reader has closed the pipe, the program ends with status 0.
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

/// Standard error, unbuffered: each text is one write, so that the lines of several processes do not mix.
package enum StandardError {
    /// Whether a person reads messages as they are printed, because it is a terminal.
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// The terminal's width, or 0.
    package static var columns: Int { Int(clinux_terminal_columns(2)) }

    /// Writes a text at once, with control characters other than line ends and tabs escaped.
    package static func write(_ text: String) { draw(Printable.lines(text)) }

    /// Writes a text at once and unescaped, for control sequences of the terminal.
    static func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = CLinux.write(2, $0.baseAddress, $0.count) }
    }
}

extension Failure {
    /// The message for a person, followed by the code and the library's words, as printed after a file's name.
    package var line: String { detail.isEmpty ? message : "\(message) [\(code.rawValue): \(detail)]" }

    /// An object with `code`, `message` and, if there is one, `detail`.
    package var json: JSON {
        .object([
            "code": .string(code.rawValue), "message": .string(message),
            "detail": detail.isEmpty ? nil : .string(detail),
        ])
    }
}
