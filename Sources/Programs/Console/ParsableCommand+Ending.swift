package import ArgumentParser
internal import Media

extension ParsableCommand {
    /// Ends the program with an error: prints a `Failure` as one line, and other errors as ArgumentParser words them.
    package static func leave(with error: any Error) -> Never {
        if let failure = error as? Failure {
            StandardError.write("compass: \(failure.line)\n")
            Process.exit(failure.exitStatus)
        }
        if let status = error as? ExitCode {
            Process.exit(status.rawValue)
        }
        let status = exitCode(for: error)
        let text = fullMessage(for: error)
        if status == .success {
            StandardOutput.write(text + "\n")
            Process.exit(0)
        }
        StandardError.write(Printable.complaint(text, about: Process.arguments) + "\n")
        // ArgumentParser exits with 64 (sysexits.h) for a bad call; most programs exit with 2.
        Process.exit(status == .validationFailure ? 2 : status.rawValue)
    }
}
